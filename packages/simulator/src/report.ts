// The report of a simulation, as plain data, with the second in which one receiver got the most requests: a window of
// 1,000 ms that may begin at any request.

import { type DeadReason, DEFAULT_RETENTION } from "@postrider/core";
import { type ScheduleMistake, unusualNumbers } from "@postrider/core/engine";
import { heldMs } from "./ledger/holds.js";
import { type KnownDelivery, type Ledger, laneOf, type KnownRequest } from "./ledger/ledger.js";

/** The results of a simulation. */
export interface SimulationReport {
  readonly seed: number;
  /** A hash over all that happened, as 16 hexadecimal digits. Equal options and seeds give equal hashes. */
  readonly trace: string;
  /** Calls that were stored. */
  readonly calls: number;
  /** Syncs of audiences that were answered, and the changes that they stored for destinations. */
  readonly syncs: number;
  readonly changes: number;
  /** The totals over all destinations. */
  readonly total: DeliveryTotals;
  readonly destinations: Readonly<Record<string, DeliveryTotals>>;
  /** The most deliveries that waited at once. */
  readonly peakWaiting: number;
  /** The number of processes that were started in all. */
  readonly processes: number;
  /** The duration of the simulation, by the simulated clock. */
  readonly durationMs: number;
  /**
   * The numbers of the policy that are allowed, and hardly meant, such as a retry window of ten milliseconds; and the first mistake of each
   * kind that its schedule made, with the question and the answer.
   */
  readonly warnings: readonly PolicyWarning[];
}

/** A number of a policy that was hardly meant, or a mistake of its schedule. */
interface PolicyWarning {
  /** Such as `policy.retryWindowMs`. */
  readonly path: string;
  /** The consequence of the number, or the mistake. */
  readonly effect: string;
  /** The change that mends it. */
  readonly change: string;
}

/** The numbers of one destination, or of all of them, at the end of a simulation. */
export interface DeliveryTotals {
  readonly deliveries: number;
  readonly delivered: number;
  /** The number of dead deliveries for each reason that occurred. */
  readonly dead: Readonly<Partial<Record<DeadReason, number>>>;
  /** Requests that were sent. */
  readonly requests: number;
  /** Requests divided by deliveries; 0 if there was no delivery. */
  readonly requestsPerDelivery: number;
  /** The time from acceptance to delivery, over all delivered deliveries; null if nothing was delivered. */
  readonly lagMs: LagPercentiles | null;
  /** The second in which one receiver got the most requests; null if none got any. */
  readonly worstSecond: WorstSecond | null;
  /** The time for which only probes were sent to the destination, since its receivers failed; over all destinations, the sum. */
  readonly heldMs: number;
  /** The share of deliveries, from 0 to 1, that were due while only probes were sent, and so waited for one. */
  readonly waitedForProbe: number;
  /**
   * The time at which the last delivery was finished that had failed a round or waited for a probe, in milliseconds from the start;
   * null if there was none.
   */
  readonly backlogGoneAtMs: number | null;
}

/** Percentiles of a delay, in milliseconds. */
interface LagPercentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function buildReport(ledger: Ledger, seed: number): SimulationReport {
  const allDeliveries = [...ledger.deliveries.values()];
  const byLane = new Map<string, KnownDelivery[]>();
  for (const delivery of allDeliveries) {
    const lane = byLane.get(delivery.lane);
    if (lane === undefined) byLane.set(delivery.lane, [delivery]);
    else lane.push(delivery);
  }
  return {
    seed,
    trace: ledger.history.hash(),
    calls: ledger.calls,
    ...syncsOf(ledger),
    total: totalsOf(ledger, allDeliveries),
    destinations: Object.fromEntries([...byLane].map(([lane, inLane]) => [lane, totalsOf(ledger, inLane)])),
    peakWaiting: ledger.peakWaiting,
    processes: ledger.processes,
    durationMs: ledger.clock.monotonic(),
    warnings: warningsOf(ledger),
  };
}

function syncsOf({ users }: Ledger): Pick<SimulationReport, "syncs" | "changes"> {
  const audiences = [...users.audiences.values()];
  const sum = (name: "syncs" | "changes"): number => audiences.reduce((total, audience) => total + audience[name], 0);
  return { syncs: sum("syncs"), changes: sum("changes") };
}

function warningsOf({ policy, scheduleMistakes }: Ledger): readonly PolicyWarning[] {
  const unusual = unusualNumbers({ delivery: policy, retention: DEFAULT_RETENTION });
  return [
    ...unusual.map(({ path, ...rest }) => ({ path: path.replace(/^delivery/, "policy"), ...rest })),
    ...[...scheduleMistakes].map(([kind, effect]) => ({ path: "policy.schedule", effect, change: MENDS[kind] })),
  ];
}

const MENDS: Readonly<Record<ScheduleMistake["kind"], string>> = {
  threw:
    'answer each question with a number of milliseconds or "give-up": the numbers of the policy have decided instead',
  "no-number":
    'answer each question with a finite number of milliseconds or "give-up": the numbers of the policy have decided instead',
  unsteady: "use `draw` and `now` of the question, and keep nothing between calls: another process may be asked next",
};

function totalsOf(ledger: Ledger, deliveries: readonly KnownDelivery[]): DeliveryTotals {
  const delivered = deliveries.filter(({ state }) => state === "delivered");
  const requests = deliveries.flatMap(({ sent }) => sent);
  const dead: Partial<Record<DeadReason, number>> = {};
  for (const { reason } of deliveries) if (reason !== undefined) dead[reason] = (dead[reason] ?? 0) + 1;
  return {
    deliveries: deliveries.length,
    delivered: delivered.length,
    dead,
    requests: requests.length,
    requestsPerDelivery: deliveries.length === 0 ? 0 : requests.length / deliveries.length,
    lagMs: lagOf(delivered.map(({ acceptedAt, finishedAt }) => (finishedAt ?? acceptedAt) - acceptedAt)),
    worstSecond: worstSecondOf(requests),
    ...probesOf(ledger, deliveries),
  };
}

function probesOf(
  ledger: Ledger,
  deliveries: readonly KnownDelivery[],
): Pick<DeliveryTotals, "heldMs" | "waitedForProbe" | "backlogGoneAtMs"> {
  const lanes = [...new Set(deliveries.map(({ lane }) => lane))];
  const waitedDeliveries = deliveries.filter(({ probeWaitMs }) => probeWaitMs > 0);
  const delayedDeliveries = deliveries.filter((delivery) => delivery.probeWaitMs > 0 || hasFailed(delivery));
  const ends = delayedDeliveries
    .map(({ finishedAt, acceptedAt }) => finishedAt ?? acceptedAt)
    .sort((first, second) => first - second);
  return {
    heldMs: lanes.reduce((sum, lane) => sum + heldMs(laneOf(ledger, lane), 0, ledger.clock.monotonic()), 0),
    waitedForProbe: deliveries.length === 0 ? 0 : waitedDeliveries.length / deliveries.length,
    backlogGoneAtMs: ends.at(-1) ?? null,
  };
}

/** True if a round of the delivery was recorded that was not its last, or if it died. */
function hasFailed({ state, firstAttemptAt, lastRoundAt }: KnownDelivery): boolean {
  return state === "dead" || firstAttemptAt !== lastRoundAt;
}

function lagOf(lags: number[]): LagPercentiles | null {
  const sorted = lags.sort((first, second) => first - second);
  const percentile = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return sorted.length === 0 ? null : { p50: percentile(0.5), p99: percentile(0.99), max: percentile(1) };
}

/** A second at one receiver. */
interface WorstSecond {
  /** The requests that the receiver got in it. */
  readonly requests: number;
  /** Its start, in milliseconds from the start of the simulation. */
  readonly atMs: number;
}

/** The worst second of all receivers; the earliest, if several are equal. Null without requests. */
function worstSecondOf(requests: readonly KnownRequest[]): WorstSecond | null {
  const byEndpoint = new Map<string, number[]>();
  for (const { endpoint, sentAt } of requests) {
    const times = byEndpoint.get(endpoint);
    if (times === undefined) byEndpoint.set(endpoint, [sentAt]);
    else times.push(sentAt);
  }
  let worst: WorstSecond | null = null;
  for (const times of byEndpoint.values()) {
    const second = fullestSecond(times.sort((first, second) => first - second));
    if (
      worst === null ||
      second.requests > worst.requests ||
      (second.requests === worst.requests && second.atMs < worst.atMs)
    )
      worst = second;
  }
  return worst;
}

/** The fullest second among times in order, of which there is at least one. */
function fullestSecond(times: readonly number[]): WorstSecond {
  let worst: WorstSecond = { requests: 0, atMs: 0 };
  let start = 0;
  for (const [end, at] of times.entries()) {
    while ((times[start] ?? at) <= at - 1_000) start += 1;
    const requests = end - start + 1;
    if (requests > worst.requests) worst = { requests, atMs: times[start] ?? at };
  }
  return worst;
}
