// Checks the retry window of each delivery by true time, whichever servers have sent it, and finds the requests of a
// recorded attempt by when it started. Does not call core, so that an error of core is not repeated.

import type { AttemptRecord, EpochMs } from "@postrider/core";
import { type KnownDelivery, type Ledger, nameOf, reportBroken, type KnownRequest } from "../ledger.js";
import { lastSlotOf, resultOf } from "../verdicts.js";
import { fleetDeliveryOf, type KnownFleet, WINDOW_MS, CLOCK_ERROR_MS } from "./known-fleet.js";

/** Records a round that a server has settled. */
export function observeTrueRound({ fleet }: Ledger, delivery: KnownDelivery, attempts: readonly AttemptRecord[]): void {
  if (fleet === undefined) return;
  const sentAt = attempts.flatMap(({ endpoint, startedAt }) =>
    delivery.sent
      .filter((request) => request.endpoint === endpoint && isSameStart(fleet, request.startedAt, startedAt))
      .map((request) => request.sentAt),
  );
  if (sentAt.length === 0) return;
  const fleetDelivery = fleetDeliveryOf(fleet, delivery.id);
  fleetDelivery.lastSentAt = Math.min(...sentAt);
  fleetDelivery.firstSentAt ??= fleetDelivery.lastSentAt;
}

/** Checks that a request is sent within the window. */
export function checkTrueWindow(ledger: Ledger, fleet: KnownFleet, delivery: KnownDelivery): void {
  const { firstSentAt } = fleetDeliveryOf(fleet, delivery.id);
  if (firstSentAt === undefined) return;
  const overMs = ledger.clock.monotonic() - firstSentAt - ledger.policy.retryWindowMs;
  if (overMs > WINDOW_MS)
    reportBroken(ledger, "true-windows", `${nameOf(delivery)} was sent ${String(overMs)} ms after its window`);
}

/** Checks that a delivery expires only when no further round fits its window. */
export function checkTrueExpiry(ledger: Ledger, delivery: KnownDelivery): void {
  const { clock, fleet, policy } = ledger;
  // A schedule of the host may give up at any time.
  if (fleet === undefined || policy.schedule !== undefined) return;
  const { firstSentAt, lastSentAt = 0 } = fleetDeliveryOf(fleet, delivery.id);
  if (firstSentAt === undefined) return;
  const slot = lastSlotOf(policy, firstSentAt);
  const leftMs = firstSentAt + policy.retryWindowMs - slot.marginMs - clock.monotonic() - policy.firstRetryMs;
  if (leftMs <= WINDOW_MS || lastSentAt >= slot.from - WINDOW_MS) return;
  reportBroken(ledger, "true-windows", `${nameOf(delivery)} expired with ${String(leftMs)} ms left of its window`);
}

/** True if the last slot of the window has begun, in which no hold applies. */
export function isInLastSlot({ clock, policy }: Ledger, fleet: KnownFleet, delivery: KnownDelivery): boolean {
  const { firstSentAt } = fleetDeliveryOf(fleet, delivery.id);
  return firstSentAt !== undefined && clock.monotonic() >= lastSlotOf(policy, firstSentAt).from - WINDOW_MS;
}

function isSameStart(fleet: KnownFleet | undefined, sentAt: EpochMs, recordedAt: EpochMs): boolean {
  return Math.abs(sentAt - recordedAt) <= (fleet === undefined ? 0 : CLOCK_ERROR_MS);
}

/** The requests that were seen of a recorded attempt: there may be several, of processes that sent at the same time. */
export function requestsOf(
  { fleet }: Ledger,
  { sent }: KnownDelivery,
  { endpoint, startedAt, result }: AttemptRecord,
): readonly KnownRequest[] {
  const recordedResult = resultOf(result);
  return sent.filter(
    (request) =>
      request.endpoint === endpoint &&
      request.result === recordedResult &&
      isSameStart(fleet, request.startedAt, startedAt),
  );
}
