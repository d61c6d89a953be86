// Records when the address policy of a process refuses a destination, and checks that such a destination is left alone for a
// minute, and that its deliveries wait for one retry window. Does not call core, so that an error of core is not repeated.

import type { EndRequest, Settlement } from "@postrider/core";
import { type KnownDelivery, laneOf, type Ledger, nameOf, reportBroken } from "./ledger.js";
import type { KnownLane } from "./known-lane.js";

/** The least time between two tries of a blocked destination. */
const REST_MS = 60_000;

const REFUSAL = "forbidden-address";

/** Records a reply to the only request of a round. Others are not known to end a block, or to begin one. */
export function observeBlock(ledger: Ledger, { lane: id }: KnownDelivery, process: number, result: string): void {
  const now = ledger.clock.monotonic();
  const lane = laneOf(ledger, id);
  const since = lane.blockedSince.get(process);
  const isResting = since !== undefined && now < since + REST_MS;
  if (isResting) return;
  if (result === REFUSAL) lane.blockedSince.set(process, now);
  else lane.blockedSince.delete(process);
}

/** A lane that the policy may have blocked sends only probes, as a lane whose receiver fails. */
export function expectProbes(lane: KnownLane, process: number, result: string): void {
  if (result !== REFUSAL) return;
  lane.failing.set(process, { share: 1, mayBeHeld: true });
  lane.leastSlots = 1;
}

/** Checks that no request is sent while the lane rests. */
export function checkRest(ledger: Ledger, known: KnownDelivery, process: number): void {
  const now = ledger.clock.monotonic();
  const since = laneOf(ledger, known.lane).blockedSince.get(process);
  if (since === undefined || now <= since || now >= since + REST_MS) return;
  const restedMs = String(now - since);
  reportBroken(ledger, "blocked-rests", `${nameOf(known)} was sent ${restedMs} ms after its destination was refused`);
}

/** Other settings may allow what was refused: each destination may be tried at once. */
export function endRests(ledger: Ledger, process: number): void {
  for (const lane of ledger.lanes.values()) lane.blockedSince.delete(process);
}

/** Whether a delivery died because the policy refused its destination; checks that it had waited. */
export function isBlockedDeath(ledger: Ledger, known: KnownDelivery, { outcome, attempts }: Settlement): boolean {
  if (outcome.kind !== "dead" || outcome.detail !== REFUSAL || attempts.length > 0) return false;
  const decidedBy = Math.max(ledger.clock.wall(), known.latestWall);
  const leftMs = known.acceptedWall + ledger.policy.retryWindowMs - decidedBy;
  if (leftMs > 0) reportBroken(ledger, "blocked-waits", `${nameOf(known)} was refused ${String(leftMs)} ms too soon`);
  return true;
}

/** Checks that a process ends deliveries as refused only if they have waited for one retry window. */
export function checkBlockedEnd(ledger: Ledger, { lane, reason, acceptedBefore }: EndRequest): void {
  if (reason !== "refused") return;
  const earlyMs = (acceptedBefore ?? Infinity) - 1 + ledger.policy.retryWindowMs - ledger.clock.wall();
  if (earlyMs > 0)
    reportBroken(ledger, "blocked-waits", `deliveries of ${lane} were to be refused ${String(earlyMs)} ms too soon`);
}
