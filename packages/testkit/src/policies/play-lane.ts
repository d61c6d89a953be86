// Plays a policy on one lane through an outage, drawn from a seed: core's schedule, pace, holds and probes over a list
// of calls, without a store, a clock or a relay. Each round is one request, and is stored at once.

import fc, { type Arbitrary } from "fast-check";
import { DEFAULT_DELIVERY, type DeliveryPolicy, epochMs, scheduleRetry } from "@postrider/core";
import { checkDelivery, createOptionsError } from "@postrider/core/engine";
import { createCall, createPlayedLane, historyOf, type PlayedCall } from "./played-lane.js";

/** A receiver is down from the first call on. Times in milliseconds. */
export interface LaneOutage {
  readonly lastsMs: number;
  /** The duration of each answer while the receiver is down; it answers 503. */
  readonly tookMs: number;
  /** Determines every draw of chance. */
  readonly seed: number;
}

/** The calls that a lane gets: the first one at the start of the outage, each further one `everyMs` later. */
export interface LaneLoad {
  readonly calls: number;
  readonly everyMs: number;
}

/** One call, so that no lane is held. */
export const ONE_CALL: LaneLoad = { calls: 1, everyMs: 1_000 };

/** Outages of up to `outageMs`; fast-check draws the shortest and the longest ones often. */
export function laneOutages(outageMs: number, timeoutMs: number): Arbitrary<LaneOutage> {
  return fc.record({
    lastsMs: fc.integer({ min: 0, max: outageMs }),
    tookMs: fc.integer({ min: 0, max: timeoutMs }),
    seed: fc.nat(),
  });
}

/** The policy with its defaults. Throws an `OptionsError` that names each problem. */
export function demandPolicy(functionName: string, policy: Partial<DeliveryPolicy>): DeliveryPolicy {
  const full = { ...DEFAULT_DELIVERY, ...policy };
  const problems = checkDelivery(full, "policy");
  if (problems.length > 0) throw createOptionsError(functionName, problems);
  return full;
}

/** The fate of a call. Times in milliseconds from the start of the outage. */
export interface PlayedDelivery {
  readonly acceptedMs: number;
  /** The time at which each of its requests was sent. */
  readonly startsMs: readonly number[];
  /** Undefined if it is dead. */
  readonly deliveredMs: number | undefined;
}

/** The most requests that are played. */
const MAX_PLAYED_REQUESTS = 100_000;

/** The time that a receiver takes to answer while it is up. */
const ANSWER_MS = 20;

/**
 * Plays the load, and returns the fate of each call. While nearly all requests fail, the lane is held, and only probes are
 * sent, as by a relay. Stops after `MAX_PLAYED_REQUESTS`; calls that wait then count as dead. Throws an `OptionsError` if the
 * policy is wrong.
 */
export function playLane(
  policy: Partial<DeliveryPolicy>,
  outage: LaneOutage,
  load: LaneLoad = ONE_CALL,
): readonly PlayedDelivery[] {
  const play = createPlay(demandPolicy("playLane", policy), outage);
  const calls = Array.from({ length: load.calls }, (_, index) => createCall(index, index * load.everyMs));
  for (const call of calls) {
    play.advance(call.acceptedMs);
    play.accept(call);
  }
  play.advance(Infinity);
  return calls;
}

/** A round under way. */
interface Running {
  readonly call: PlayedCall;
  readonly startedMs: number;
  readonly endsMs: number;
}

interface Play {
  accept(call: PlayedCall): void;
  /** Plays all that happens before this time. */
  advance(untilMs: number): void;
}

function createPlay(policy: DeliveryPolicy, outage: LaneOutage): Play {
  const draws = createDraws(outage.seed);
  const lane = createPlayedLane(draws());
  const runningRounds: Running[] = [];
  let nowMs = 0;
  let requests = 0;

  function start(call: PlayedCall): void {
    call.startsMs.push(nowMs);
    requests += 1;
    const round = { call, startedMs: nowMs, endsMs: nowMs + (nowMs < outage.lastsMs ? outage.tookMs : ANSWER_MS) };
    const later = runningRounds.findIndex(({ endsMs }) => endsMs > round.endsMs);
    runningRounds.splice(later < 0 ? runningRounds.length : later, 0, round);
  }

  function end({ call, startedMs }: Running): void {
    if (startedMs >= outage.lastsMs) {
      Object.assign(call, { deliveredMs: nowMs });
      lane.end(call, { isSuccess: true }, nowMs);
      return;
    }
    const drawn = { delay: draws(), slot: draws() };
    const planned = scheduleRetry(policy, historyOf(call, startedMs), drawn, epochMs(nowMs));
    lane.end(call, { isSuccess: false, ...(planned.kind === "due" ? { dueMs: planned.dueAt } : {}) }, nowMs);
  }

  /** The next round that ends, or else the next claim. Ends come first, since they free slots. */
  function step(untilMs: number): boolean {
    const [first] = runningRounds;
    const claimMs = lane.nextClaimMs(nowMs);
    const nextMs = Math.min(first?.endsMs ?? Infinity, claimMs ?? Infinity);
    if (nextMs >= untilMs || requests >= MAX_PLAYED_REQUESTS) return false;
    nowMs = nextMs;
    if (first?.endsMs === nextMs) {
      runningRounds.shift();
      end(first);
      return true;
    }
    lane.drop(({ startsMs: [firstMs] }) => firstMs !== undefined && nowMs > firstMs + policy.retryWindowMs);
    lane.claim(nowMs).forEach(start);
    return true;
  }

  return {
    accept: (call) => {
      nowMs = call.acceptedMs;
      if (lane.accept(call)) start(call);
    },
    advance: (untilMs) => {
      while (step(untilMs));
    },
  };
}

/** Returns a function whose results, from [0, 1), the seed determines. */
function createDraws(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
