// Records the deliveries that a claim returned. Checks that each was due and under no valid lease, and that its lane
// was open.

import type { ClaimResult, ClaimedDelivery, ClaimRequest, EpochMs, Workspace } from "@postrider/core";
import { reportBroken, type KnownDelivery, type Ledger, nameOf, addTraceLine } from "./ledger.js";
import { observeTrueClaim } from "./fleet/claims.js";
import { mustBePaused } from "./holds.js";
import { setLease, isFinished, moveDelivery } from "./move.js";

export interface ObservedClaim {
  /** The number of the process that claims. */
  readonly process: number;
  readonly request: ClaimRequest;
  readonly claimed: ClaimResult;
}

/** Who claims, and by which settings. */
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
  for (const delivery of claimed.deliveries) {
    const known = ledger.deliveries.get(delivery.id);
    if (known === undefined)
      reportBroken(ledger, "stored-before-sent", `delivery ${delivery.id} was claimed and never stored`);
    else takeOver(ledger, known, { request, delivery }, now);
    observeTrueClaim(ledger, delivery.id, { process, token: request.token, leaseMs: request.leaseMs });
  }
}

interface TakenOver {
  readonly request: ClaimRequest;
  readonly delivery: ClaimedDelivery;
}

function takeOver(ledger: Ledger, known: KnownDelivery, { request, delivery }: TakenOver, now: EpochMs): void {
  addTraceLine(ledger, `claimed ${nameOf(known)}`);
  if (ledger.covered.has(known))
    reportBroken(ledger, "deleted-stay-away", `${nameOf(known)} was claimed after its user was deleted`);
  if (isFinished(known)) reportBroken(ledger, "settles-once", `${nameOf(known)} is ${known.state} and was claimed`);
  else checkDue(ledger, known, now);
  if (known.state === "claimed") setDueSinceLeaseEnd(ledger, known, now);
  moveDelivery(ledger, known, "claimed");
  setLease(known, request.token, delivery.leaseUntil);
  known.succeededUnderLease = false;
}

function checkDue(ledger: Ledger, known: KnownDelivery, now: EpochMs): void {
  if (known.state === "claimed" && known.leaseUntil > now) {
    reportBroken(
      ledger,
      "one-lease",
      `${nameOf(known)} was claimed while a lease of ${String(known.leaseUntil - now)} ms was left`,
    );
  }
  if (known.state === "waiting" && known.dueAt > now) {
    reportBroken(ledger, "one-lease", `${nameOf(known)} was claimed ${String(known.dueAt - now)} ms before it was due`);
  }
}

function setDueSinceLeaseEnd({ clock }: Ledger, known: KnownDelivery, now: EpochMs): void {
  known.dueSince = clock.monotonic() - Math.max(0, now - known.leaseUntil);
  known.isOut = false;
}
