// Records the deliveries that a claim returned. Checks that each was due and under no valid lease, and that its lane
// was open.

import type { ClaimResult, ClaimedDelivery, ClaimRequest, EpochMs, Workspace } from "@postrider/core";
import { reportBroken, type KnownDelivery, type Ledger, nameOf, addHistoryLine } from "./ledger.js";
import { observeTrueClaim } from "./fleet/claims.js";
import { mustBePaused } from "./holds.js";
import { observeLostRound } from "./rates.js";
import { setLease, isFinished, moveDelivery } from "./move.js";
import { observeClaimant } from "./repeats.js";

export interface ObservedClaim {
  /** The number of the process that claims. */
  readonly process: number;
  readonly request: ClaimRequest;
  readonly claimed: ClaimResult;
}

/** The process that claims, and its settings. */
export interface Claimant {
  readonly process: number;
  readonly settings: Workspace;
}

/** Checks that a process claims only from lanes that are open in its settings, and that no operator has paused. */
export function checkClaimRequest(ledger: Ledger, { lanes }: ClaimRequest, { process, settings }: Claimant): void {
  for (const { lane } of lanes) {
    const destination = settings.destinations.find(({ id }) => id === lane);
    const isOpen = destination?.enabled === true && !destination.paused;
    if (isOpen && !mustBePaused(ledger, lane, process)) continue;
    reportBroken(ledger, "open-lane", `${lane} was claimed while it was closed`);
  }
}

export function observeClaim(ledger: Ledger, { process, request, claimed }: ObservedClaim, now: EpochMs): void {
  ledger.holders.set(request.token, process);
  for (const claimedDelivery of claimed.deliveries) {
    const delivery = ledger.deliveries.get(claimedDelivery.id);
    if (delivery === undefined)
      reportBroken(ledger, "stored-before-sent", `delivery ${claimedDelivery.id} was claimed and never stored`);
    else {
      recordClaim(ledger, delivery, { request, claimedDelivery }, now);
      observeClaimant(ledger, delivery, process);
    }
    observeTrueClaim(ledger, claimedDelivery.id, { process, token: request.token, leaseMs: request.leaseMs });
  }
}

interface RecordedClaim {
  readonly request: ClaimRequest;
  readonly claimedDelivery: ClaimedDelivery;
}

function recordClaim(
  ledger: Ledger,
  delivery: KnownDelivery,
  { request, claimedDelivery }: RecordedClaim,
  now: EpochMs,
): void {
  addHistoryLine(ledger, `claimed ${nameOf(delivery)}`);
  if (ledger.covered.has(delivery))
    reportBroken(ledger, "deleted-stay-away", `${nameOf(delivery)} was claimed after its user was deleted`);
  if (isFinished(delivery))
    reportBroken(ledger, "settles-once", `${nameOf(delivery)} is ${delivery.state} and was claimed`);
  else checkDue(ledger, delivery, now);
  observeLostRound(ledger, delivery);
  if (delivery.state === "claimed") setDueSinceLeaseEnd(ledger, delivery, now);
  moveDelivery(ledger, delivery, "claimed");
  setLease(delivery, request.token, claimedDelivery.leaseUntil);
  delivery.succeededUnderLease = false;
}

function checkDue(ledger: Ledger, delivery: KnownDelivery, now: EpochMs): void {
  if (delivery.state === "claimed" && delivery.leaseUntil > now) {
    reportBroken(
      ledger,
      "one-lease",
      `${nameOf(delivery)} was claimed while a lease of ${String(delivery.leaseUntil - now)} ms was left`,
    );
  }
  if (delivery.state === "waiting" && delivery.dueAt > now) {
    reportBroken(
      ledger,
      "one-lease",
      `${nameOf(delivery)} was claimed ${String(delivery.dueAt - now)} ms before it was due`,
    );
  }
}

function setDueSinceLeaseEnd({ clock }: Ledger, delivery: KnownDelivery, now: EpochMs): void {
  delivery.dueSince = clock.monotonic() - Math.max(0, now - delivery.leaseUntil);
  delivery.isOut = false;
}
