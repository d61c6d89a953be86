// Checks that a receiver that refuses whatever it gets is left alone: its lane is held, and sends only probes (decision: refusals).
// Says nothing of a lane that was held before, nor of one with several receivers.

import { verdictOf } from "./known-verdict.js";
import type { KnownLane } from "./known-lane.js";
import { type KnownRequest, laneOf, type Ledger, nameOf, reportBroken } from "./ledger.js";

/** The least time between two probes: half of the first backoff. */
const LEAST_PROBE_MS = 2_500;
/** A claim that was under way when the lane was held may still bring a request, which takes no longer without faults. */
const UNSEEN_MS = 500;

/** Records that a process sends a request, and checks that it does not come too soon. */
export function checkRefusingRest(ledger: Ledger, process: number, { of: known, isOnly }: KnownRequest): void {
  const lane = laneOf(ledger, known.lane);
  count(lane, process, 1);
  const since = lane.restsSince.get(process);
  if (since === undefined || !isOnly || since < ledger.promptFrom || ledger.everPaused.has(known.lane)) return;
  const restedMs = ledger.clock.monotonic() - since;
  if (restedMs > UNSEEN_MS && restedMs < LEAST_PROBE_MS)
    reportBroken(ledger, "refusing-rests", `${nameOf(known)} was sent ${String(restedMs)} ms after the last refusal`);
}

/**
 * Records with a reply since when a process must leave the receiver alone: since it holds the lane, or since the end of the last
 * probe. To be called when it is known whether the receiver refuses whatever it gets.
 */
export function observeRefusingRest(ledger: Ledger, process: number, request: KnownRequest): void {
  const lane = laneOf(ledger, request.of.lane);
  count(lane, process, -1);
  if (!isHeldFor(request)) {
    lane.restsSince.delete(process);
    return;
  }
  const now = ledger.clock.monotonic();
  const since = lane.restsSince.get(process);
  const isProbe = since !== undefined && now >= since + LEAST_PROBE_MS && !lane.open.has(process);
  if (isProbe || (since === undefined && !lane.heldBy.has(process))) lane.restsSince.set(process, now);
}

/** Whether a lane is held for the result of a request, unless it was held before. */
function isHeldFor({ isOnly, wasRefusing, result = "" }: KnownRequest): boolean {
  return isOnly && wasRefusing && verdictOf(result) !== "local" && result !== "forbidden-address";
}

function count({ open }: KnownLane, process: number, step: 1 | -1): void {
  const next = (open.get(process) ?? 0) + step;
  if (next > 0) open.set(process, next);
  else open.delete(process);
}
