// Records the replays that are stored, and the jobs that operators start for them. Checks that a job leaves out no delivery of its
// filter, and that the jobs count each replay once.

import type { DeliveryStore, ReplayJob } from "@postrider/core";
import { addHistoryLine, type KnownDelivery, laneOf, type Ledger, nameOf, reportBroken } from "./ledger.js";
import { isFinished } from "./move.js";

/** Records that a replay of this delivery is stored. */
export function observeReplay(ledger: Ledger, original: KnownDelivery): void {
  if (!isFinished(original))
    reportBroken(ledger, "replays-are-whole", `${nameOf(original)} was replayed before its end`);
  if (ledger.replayedIds.has(original.id))
    reportBroken(ledger, "replays-are-whole", `${nameOf(original)} was replayed twice`);
  ledger.replayedIds.add(original.id);
}

/** A job that has begun, and the deliveries that it must replay. */
export interface BegunJob {
  readonly beganAt: number;
  readonly mustReplay: readonly KnownDelivery[];
}

/** By how much the clock of a process may be behind that by which a call was received. */
const CLOCK_SLACK_MS = 5_000;

/** The deliveries that a job must replay if it begins now. To be called before it is asked for. */
export function beginJob(ledger: Ledger, { states, destination }: ReplayJob["filter"]): BegunJob {
  const acceptedBefore = ledger.clock.wall() - CLOCK_SLACK_MS;
  const mustReplay = [...ledger.deliveries.values()].filter(
    (delivery) =>
      states.some((state) => state === delivery.state) &&
      (destination === undefined || destination === delivery.lane) &&
      delivery.acceptedWall < acceptedBefore &&
      delivery.reason !== "purged",
  );
  return { beganAt: ledger.clock.monotonic(), mustReplay };
}

/** Records a job that has ended, and checks it. A delivery that the store has swept could not be replayed. */
export async function observeJobEnd(
  ledger: Ledger,
  store: Pick<DeliveryStore, "find">,
  job: ReplayJob,
  { beganAt, mustReplay }: BegunJob,
): Promise<void> {
  const { id, state, replayed, skipped } = job;
  addHistoryLine(ledger, `job ${id} is ${state}: ${String(replayed)} replayed, ${String(skipped)} skipped`);
  if (state !== "done" || ledger.steppedAt >= beganAt) return;
  for (const delivery of mustReplay) {
    if (ledger.replayedIds.has(delivery.id) || isOutOfReach(ledger, delivery, beganAt)) continue;
    if ((await store.find(delivery.id)) !== undefined)
      reportBroken(ledger, "replays-are-whole", `${nameOf(delivery)} was left out by job ${id}`);
  }
}

/** True if its body may be gone, or its destination have been missing in the settings of a process meanwhile. */
function isOutOfReach(ledger: Ledger, delivery: KnownDelivery, beganAt: number): boolean {
  const { lane } = delivery;
  const wasChanged = laneOf(ledger, lane).changedAt >= beganAt || ledger.users.offDestinations.has(lane);
  return wasChanged || ledger.covered.has(delivery);
}

/**
 * Checks the counts of all jobs, which have ended. A cancelled one may have replayed a part of its last page, or all of it. A process that
 * takes over a page counts what is swept or purged as skipped, and what is about to be as replayed, whether it was or not.
 */
export async function checkReplayCounts(
  ledger: Ledger,
  store: Pick<DeliveryStore, "find">,
  jobs: readonly ReplayJob[],
): Promise<void> {
  const stored = ledger.replayedIds.size;
  const counted = jobs.reduce((sum, { replayed }) => sum + replayed, 0);
  const uncounted = jobs.reduce((sum, { step }) => sum + (step?.deliveries.length ?? 0), 0);
  let gone = 0;
  for (const id of ledger.replayedIds) if ((await store.find(id))?.body === undefined) gone += 1;
  const isTooMany = counted > stored + ledger.covered.size && !mayOverlap(jobs);
  if (isTooMany || stored > counted + uncounted + gone)
    reportBroken(ledger, "replays-are-whole", `${String(stored)} replays are stored, and ${String(counted)} counted`);
}

/** True if a delivery may be of two jobs: a process that takes over a page counts what the other job has replayed of it. */
function mayOverlap(jobs: readonly ReplayJob[]): boolean {
  const destinations = new Set(jobs.map(({ filter }) => filter.destination));
  return jobs.length > 1 && (destinations.has(undefined) || destinations.size < jobs.length);
}
