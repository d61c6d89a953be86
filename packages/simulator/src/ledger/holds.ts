// Records which lanes must wait: they send only probes, as their relays report, or an operator paused them, or an
// address policy refuses them for a minute. Checks the last two. Does not call core, so that no error of it is
// repeated.

import type { RelayEvent } from "@postrider/relay";
import type { DestinationId, EndRequest, Settlement } from "@postrider/core";
import { knownToAllAt } from "./fleet/known-fleet.js";
import { observeHeldLane } from "./fleet/observe-exchange.js";
import { type KnownDelivery, laneOf, type Ledger, addHistoryLine, nameOf, reportBroken } from "./ledger.js";
import type { KnownLane } from "./known.js";

/** Records that a process holds a lane, or opens it. */
export function observeHold(ledger: Ledger, process: number, event: RelayEvent): void {
  observeHeldLane(ledger, process, event);
  if (event.kind === "lane-held" || event.kind === "lane-blocked") {
    const lane = laneOf(ledger, event.destination);
    if (lane.heldBy.size === 0) lane.heldSpans.push({ fromMs: ledger.clock.monotonic(), untilMs: Infinity });
    lane.heldBy.add(process);
  }
  if (event.kind === "lane-open") release(ledger, laneOf(ledger, event.destination), process);
}

/** A process that ends, or is frozen, holds no lane. */
export function endHolds(ledger: Ledger, process: number): void {
  for (const lane of ledger.lanes.values()) release(ledger, lane, process);
}

function release({ clock }: Ledger, lane: KnownLane, process: number): void {
  const lastSpan = lane.heldSpans.at(-1);
  if (!lane.heldBy.delete(process) || lane.heldBy.size > 0 || lastSpan === undefined) return;
  lastSpan.untilMs = clock.monotonic();
}

/** To be called when a delivery that was due is sent, or ends. */
export function recordProbeWait(ledger: Ledger, delivery: KnownDelivery): void {
  if (delivery.isOut) return;
  delivery.probeWaitMs += heldMs(laneOf(ledger, delivery.lane), delivery.dueSince, ledger.clock.monotonic());
}

/** For how long the lane was held between two times. */
export function heldMs({ heldSpans }: KnownLane, fromMs: number, untilMs: number): number {
  let sum = 0;
  for (let index = heldSpans.length - 1; index >= 0; index -= 1) {
    const span = heldSpans[index];
    // The spans are in order and do not overlap.
    if (span === undefined || span.untilMs <= fromMs) break;
    sum += Math.max(0, Math.min(span.untilMs, untilMs) - Math.max(span.fromMs, fromMs));
  }
  return sum;
}

/** To be called when a pause was answered. */
export function observePause(ledger: Ledger, lane: DestinationId, answeredBy: number | undefined): void {
  ledger.pauses.set(lane, { answeredBy, latestProcess: ledger.processes, at: ledger.clock.monotonic() });
  addHistoryLine(ledger, `an operator has paused ${lane}`);
}

/** To be called before the end of a pause is asked for. */
export function observeResume(ledger: Ledger, lane: DestinationId): void {
  ledger.pauses.delete(lane);
  addHistoryLine(ledger, `an operator resumes ${lane}`);
}

/** True if a process must send nothing to a lane, since an operator has paused it. The others on the store learn of it by their polls. */
export function mustBePaused(ledger: Ledger, lane: DestinationId, process: number): boolean {
  const pause = ledger.pauses.get(lane);
  if (pause === undefined) return false;
  if (process === pause.answeredBy || process > pause.latestProcess) return true;
  const { clock, fleet, pollMs } = ledger;
  return fleet !== undefined && clock.monotonic() >= knownToAllAt(fleet, pause.at) + pollMs;
}

/** The least time between two tries of a blocked destination. */
const REST_MS = 60_000;

const FORBIDDEN = "forbidden-address";

/** Records a reply to the only request of a round. Others are not known to end a block, or to begin one. */
export function observeBlock(ledger: Ledger, { lane: id }: KnownDelivery, process: number, result: string): void {
  const nowMs = ledger.clock.monotonic();
  const lane = laneOf(ledger, id);
  const since = lane.blockedSince.get(process);
  const isResting = since !== undefined && nowMs < since + REST_MS;
  if (isResting) return;
  if (result === FORBIDDEN) lane.blockedSince.set(process, nowMs);
  else lane.blockedSince.delete(process);
}

/** A lane that the policy may have blocked sends only probes, as a lane whose receiver fails. */
export function expectProbes(lane: KnownLane, process: number, result: string): void {
  if (result !== FORBIDDEN) return;
  lane.failing.set(process, { share: 1, mayBeHeld: true });
  lane.leastSlots = 1;
}

/** Checks that no request is sent while the lane rests. */
export function checkRest(ledger: Ledger, delivery: KnownDelivery, process: number): void {
  const nowMs = ledger.clock.monotonic();
  const since = laneOf(ledger, delivery.lane).blockedSince.get(process);
  if (since === undefined || nowMs <= since || nowMs >= since + REST_MS) return;
  const restedMs = String(nowMs - since);
  reportBroken(
    ledger,
    "blocked-rests",
    `${nameOf(delivery)} was sent ${restedMs} ms after its destination was refused`,
  );
}

/** Other settings may allow what was refused: each destination may be tried at once. */
export function endRests(ledger: Ledger, process: number): void {
  for (const lane of ledger.lanes.values()) lane.blockedSince.delete(process);
}

/** True if a delivery died because the policy refused its destination; checks that it had waited. */
export function isBlockedDeath(ledger: Ledger, delivery: KnownDelivery, { outcome, attempts }: Settlement): boolean {
  if (outcome.kind !== "dead" || outcome.detail !== FORBIDDEN || attempts.length > 0) return false;
  const decidedBy = Math.max(ledger.clock.wall(), delivery.latestWall);
  const leftMs = delivery.acceptedWall + ledger.policy.retryWindowMs - decidedBy;
  if (leftMs > 0)
    reportBroken(ledger, "blocked-waits", `${nameOf(delivery)} was refused ${String(leftMs)} ms too soon`);
  return true;
}

/** Checks that a process ends deliveries as refused only if they have waited for one retry window. */
export function checkBlockedEnd(ledger: Ledger, { lane, reason, acceptedBefore }: EndRequest): void {
  if (reason !== "refused") return;
  const earlyMs = (acceptedBefore ?? Infinity) - 1 + ledger.policy.retryWindowMs - ledger.clock.wall();
  if (earlyMs > 0)
    reportBroken(ledger, "blocked-waits", `deliveries of ${lane} were to be refused ${String(earlyMs)} ms too soon`);
}
