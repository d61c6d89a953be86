// Checks each request that repeats an earlier one of its process: a process has one round of a delivery at a time, and records what
// it has heard before it sends the delivery again, whatever its clock does. Looks only at destinations with one endpoint, whose
// rounds end with the reply.

import { type KnownDelivery, type KnownRequest, type Ledger, nameOf, reportBroken } from "./ledger.js";

/** Records that a process has claimed the delivery. */
export function observeClaimant({ clock }: Ledger, { rounds }: KnownDelivery, process: number): void {
  if (rounds.claimant === process) return;
  rounds.claimant = process;
  rounds.takenOverAt = clock.monotonic();
}

/** Checks a request before it is recorded. */
export function checkRepeat(ledger: Ledger, request: KnownRequest): void {
  const { delivery, process } = request;
  if (!request.isOnly) return;
  const earlier = delivery.sent.findLast((candidate) => candidate.process === process && candidate.isOnly);
  if (earlier === undefined) return;
  if (earlier.heardAt === undefined) checkOneRound(ledger, request, earlier);
  else if (!mayRepeat(ledger, earlier, earlier.heardAt))
    reportBroken(
      ledger,
      "heard-is-recorded",
      `process ${String(process)} sends ${nameOf(delivery)} again, and has not recorded ${earlier.result ?? "nothing"}`,
    );
}

/** A request without a reply belongs to a round that has not ended, unless its process has stopped waiting. */
function checkOneRound(ledger: Ledger, { delivery, process }: KnownRequest, earlier: KnownRequest): void {
  const openMs = ledger.clock.monotonic() - earlier.sentAt;
  if (delivery.rounds.settledAt >= earlier.sentAt || openMs > ledger.policy.timeoutMs) return;
  const beside = `beside a request that is open for ${String(openMs)} ms`;
  reportBroken(ledger, "one-round", `process ${String(process)} sends ${nameOf(delivery)} ${beside}`);
}

/** True if the reply was recorded, could not be, or another process had taken the delivery over by then. */
function mayRepeat({ storeSoundSince }: Ledger, { delivery, sentAt }: KnownRequest, heardAt: number): boolean {
  const { settledAt, takenOverAt } = delivery.rounds;
  return settledAt >= heardAt || storeSoundSince > heardAt || takenOverAt >= sentAt;
}
