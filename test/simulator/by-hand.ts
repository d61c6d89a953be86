// What becomes of the calls of an outage, calculated event by event from the decisions on paper (schedule, Retry-After, lanes,
// lane health). Shares no code with the packages, so that an error in them is not repeated.

/** How a receiver answers in a stretch of time. Milliseconds from the start. */
export interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
  /** The share of requests that fail, by chance. */
  readonly fails: number;
  /** How long a failing answer takes; beyond the timeout it is a timeout. */
  readonly tookMs: number;
  readonly retryAfterSeconds?: number;
}

export interface Outage {
  readonly name: string;
  readonly lanes: number;
  /** The calls of each lane, evenly over `overMs`. */
  readonly calls: number;
  readonly overMs: number;
  readonly stretches: readonly Stretch[];
  readonly policy?: Partial<Numbers>;
}

interface Numbers {
  readonly retryWindowMs: number;
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  readonly growth: number;
  readonly jitter: number;
}

export interface Figures {
  readonly delivered: number;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Call {
  readonly cameMs: number;
  dueMs: number;
  rounds: number;
  firstMs: number;
  arrivedMs: number | undefined;
}

interface Round {
  readonly call: Call;
  readonly startedMs: number;
  readonly endsMs: number;
  readonly stretch: Stretch | undefined;
}

const DEFAULTS: Numbers = {
  retryWindowMs: 4 * 3_600_000,
  firstRetryMs: 5_000,
  maxRetryMs: 900_000,
  growth: 2,
  jitter: 0.5,
};
const TIMEOUT_MS = 5_000;
const ANSWER_MS = 20;
const LONGEST_RETRY_AFTER_MS = 300_000;

/** The figures of all lanes together. */
export function calculate(outage: Outage, random: () => number): Figures {
  const calls: Call[] = [];
  let requests = 0;
  for (let lane = 0; lane < outage.lanes; lane += 1) requests += playOneLane(outage, calls, random);
  const lags = calls.flatMap(({ arrivedMs, cameMs }) => (arrivedMs === undefined ? [] : [arrivedMs - cameMs]));
  lags.sort((one, other) => one - other);
  const at = (share: number): number => lags[Math.ceil(share * lags.length) - 1] ?? 0;
  return { delivered: lags.length, requests, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Plays one lane, adds its calls to `all`, and returns its requests. */
function playOneLane({ calls: count, overMs, stretches, policy }: Outage, all: Call[], random: () => number): number {
  const numbers = { ...DEFAULTS, ...policy };
  const { retryWindowMs, firstRetryMs, maxRetryMs, growth, jitter } = numbers;
  const marginMs = Math.max(retryWindowMs / 2_000, 50);
  const slotMs = Math.max(retryWindowMs / 250, 2 * marginMs);
  const spread = random();

  // The lane: 32 places, a moving average of failures over 32, and what is known of a hold.
  let places = 32;
  let grows = true;
  let successes = 0;
  let failing = 0;
  let freshSuccessMs = -Infinity;
  let lastRetried: Call | undefined;
  let hold: { probes: number; probeMs: number; freshMs: number } | undefined;
  let askedUntilMs = -Infinity;
  let rest = 0;

  let waiting: Call[] = [];
  let running: Round[] = [];
  let requests = 0;
  let made = 0;
  let nowMs = 0;

  const start = (call: Call): void => {
    requests += 1;
    const stretch = stretches.find(
      ({ fromMs, untilMs, fails }) => fromMs <= nowMs && nowMs < untilMs && random() < fails,
    );
    const tookMs = Math.min(stretch?.tookMs ?? ANSWER_MS, TIMEOUT_MS);
    running.push({ call, startedMs: nowMs, endsMs: nowMs + tookMs, stretch });
  };

  const holdLane = (probes: number): void => {
    const delayMs = Math.min(60_000, 5_000 * 2 ** probes);
    hold = { probes, probeMs: nowMs + delayMs * (1 + spread / 4), freshMs: nowMs + delayMs / 2 };
  };

  const onSuccess = (call: Call, inFlight: number): void => {
    const isFirst = call.rounds === 1;
    if (hold !== undefined) {
      [hold, failing, places, grows, successes, lastRetried] = [undefined, 0, 1, true, 0, undefined];
      freshSuccessMs = isFirst ? nowMs : -Infinity;
      return;
    }
    if (isFirst || (nowMs - freshSuccessMs > 60_000 && call !== lastRetried)) {
      failing -= failing / 32;
      // Noted every 15 s, so that retries count again 45 to 60 s after the last success of a first attempt.
      if (isFirst && nowMs - freshSuccessMs >= 15_000) freshSuccessMs = nowMs;
      else lastRetried = call;
    }
    if (places >= 512 || inFlight * 2 < places || failing > 0.4) return;
    successes += 1;
    if (grows || successes >= places) [places, successes] = [places + 1, 0];
  };

  const onFailure = (call: Call, inFlight: number): void => {
    if (hold !== undefined) {
      if (nowMs >= hold.freshMs && inFlight === 1) holdLane(hold.probes + 1);
      return;
    }
    const isFirst = call.rounds === 1;
    if (!isFirst && (nowMs - freshSuccessMs <= 60_000 || call === lastRetried)) return;
    failing += (1 - failing) / 32;
    if (!isFirst) lastRetried = call;
    if (failing >= 0.85) holdLane(0);
    else if (failing > 0.4) [places, grows, successes] = [Math.max(Math.min(places, 4), places - 1), false, 0];
  };

  const plan = (call: Call, startedMs: number): void => {
    const slotFromMs = call.firstMs + retryWindowMs - slotMs;
    const slotUntilMs = call.firstMs + retryWindowMs - marginMs;
    if (startedMs >= slotFromMs) return;
    const baseMs = Math.min(maxRetryMs, firstRetryMs * growth ** (call.rounds - 1));
    const naturalMs = Math.max(nowMs + baseMs * (1 + jitter * random()), askedUntilMs);
    if (naturalMs < slotFromMs) call.dueMs = naturalMs;
    else {
      const fromMs = Math.max(slotFromMs, nowMs + firstRetryMs);
      if (fromMs > slotUntilMs) return;
      call.dueMs = fromMs + random() * (slotUntilMs - fromMs);
    }
    waiting.push(call);
  };

  const end = ({ call, startedMs, stretch }: Round, inFlight: number): void => {
    if (call.rounds === 0) call.firstMs = startedMs;
    call.rounds += 1;
    if (stretch === undefined) {
      call.arrivedMs = nowMs;
      onSuccess(call, inFlight);
      return;
    }
    if (stretch.retryAfterSeconds !== undefined) {
      const askedMs = Math.min(stretch.retryAfterSeconds * 1_000, LONGEST_RETRY_AFTER_MS) * (1 + 0.2 * random());
      askedUntilMs = nowMs + Math.min(askedMs, retryWindowMs);
    }
    plan(call, startedMs);
    onFailure(call, inFlight);
  };

  /** Takes due calls of a kind, earliest due first. */
  const take = (limit: number, isWanted: (call: Call) => boolean): Call[] => {
    const due = waiting.filter((call) => call.dueMs <= nowMs && isWanted(call));
    const taken = due.sort((one, other) => one.dueMs - other.dueMs).slice(0, limit);
    waiting = waiting.filter((call) => !taken.includes(call));
    return taken;
  };

  /** A call whose endpoint asked for a pause waits for its end, but for the last slot of its window. */
  const sendOrWait = (call: Call): void => {
    const slotFromMs = call.rounds === 0 ? Infinity : call.firstMs + retryWindowMs - slotMs;
    if (askedUntilMs <= nowMs || nowMs >= slotFromMs) start(call);
    else {
      call.dueMs = Math.min(slotFromMs, askedUntilMs);
      waiting.push(call);
    }
  };

  const send = (): void => {
    waiting = waiting.filter((call) => call.rounds === 0 || nowMs <= call.firstMs + retryWindowMs);
    if (hold !== undefined) {
      if (running.length > 0 || nowMs < hold.probeMs) return;
      const wantsFresh = hold.probes % 2 === 0;
      const [probe] = [...(wantsFresh ? take(1, ({ rounds }) => rounds === 0) : [])];
      const chosen = probe ?? take(1, () => true)[0];
      if (chosen !== undefined) sendOrWait(chosen);
      return;
    }
    const free = places - running.length;
    const isDue = waiting.filter(({ dueMs }) => dueMs <= nowMs).length;
    const limit = Math.min(free, isDue);
    if (limit <= 0) return;
    const retries = Math.floor((limit + rest) / 5);
    rest = (limit + rest) % 5;
    const tried = take(retries, ({ rounds }) => rounds > 0);
    const fresh = take(limit - tried.length, ({ rounds }) => rounds === 0);
    [...tried, ...fresh, ...take(limit - tried.length - fresh.length, () => true)].forEach(sendOrWait);
  };

  const nextSendMs = (): number => {
    if (waiting.length === 0) return Infinity;
    const dueMs = Math.min(...waiting.map((call) => call.dueMs));
    if (hold !== undefined) return running.length > 0 ? Infinity : Math.max(dueMs, hold.probeMs);
    return running.length < places ? dueMs : Infinity;
  };

  for (;;) {
    const callMs = made < count ? (made * overMs) / count : Infinity;
    const endMs = Math.min(Infinity, ...running.map(({ endsMs }) => endsMs));
    const sendMs = nextSendMs();
    const nextMs = Math.min(callMs, endMs, sendMs);
    if (nextMs === Infinity) return requests;
    nowMs = Math.max(nowMs, nextMs);
    if (endMs === nextMs) {
      const ended = running.find(({ endsMs }) => endsMs === endMs);
      const inFlight = running.length;
      running = running.filter((round) => round !== ended);
      if (ended !== undefined) end(ended, inFlight);
    } else if (callMs === nextMs) {
      made += 1;
      const call: Call = { cameMs: nowMs, dueMs: nowMs, rounds: 0, firstMs: 0, arrivedMs: undefined };
      all.push(call);
      if (hold !== undefined && running.length === 0 && nowMs >= hold.freshMs) sendOrWait(call);
      else waiting.push(call);
    } else send();
  }
}
