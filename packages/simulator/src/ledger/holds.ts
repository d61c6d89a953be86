// Records while which lanes send only probes, as their relays report it, and how long each delivery waited for a probe: the
// time in which it was due and its lane was held. For the report; checks nothing.

import type { RelayEvent } from "@postrider/relay";
import { observeHeldLane } from "./fleet/holds-of-all.js";
import { type KnownDelivery, laneOf, type Ledger } from "./ledger.js";
import type { KnownLane } from "./known-lane.js";

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
  const last = lane.heldSpans.at(-1);
  if (!lane.heldBy.delete(process) || lane.heldBy.size > 0 || last === undefined) return;
  last.untilMs = clock.monotonic();
}

/** To be called when a delivery that was due is sent, or ends. */
export function recordProbeWait(ledger: Ledger, known: KnownDelivery): void {
  if (known.isOut) return;
  known.probeWaitMs += heldMs(laneOf(ledger, known.lane), known.dueSince, ledger.clock.monotonic());
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
