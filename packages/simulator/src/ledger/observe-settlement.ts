// Records a settlement that took effect, and checks its lease, its attempts and its window.

import type { AttemptRecord, Outcome, Settlement, SettleResult } from "@postrider/core";
import { isBlockedDeath } from "./blocked.js";
import { reportBroken, type KnownDelivery, type Ledger, nameOf, addTraceLine } from "./ledger.js";
import { requestsOf } from "./fleet/same-start.js";
import { checkTrueExpiry, observeTrueRound } from "./fleet/windows.js";
import { noteAttempt, noteSettlement } from "./known-event.js";
import { resultOf } from "./known-verdict.js";
import { lastSlotOf } from "./last-slot.js";
import { isFinished, moveDelivery, setWaiting } from "./move.js";
import { recordPurged } from "./observe-deletion.js";
import { observeRoundEnd } from "./observe-round-end.js";
import { areAllFinal, checkRefusedDeath, observeRefusals } from "./refusals.js";

/** Records a settlement; `settled` is what the store answered. */
export function observeSettlement(
  ledger: Ledger,
  settlement: Settlement,
  settled: Exclude<SettleResult, "stale"> = "settled",
): void {
  const { id, token, outcome } = settlement;
  const known = ledger.deliveries.get(id);
  if (known === undefined) {
    reportBroken(ledger, "stored-before-sent", `delivery ${id} was settled and never stored`);
    return;
  }
  addTraceLine(ledger, `settled ${nameOf(known)} ${outcome.kind}`);
  if (isFinished(known))
    reportBroken(ledger, "settles-once", `${nameOf(known)} was ${known.state} and is ${outcome.kind}`);
  else if (known.token !== token)
    reportBroken(ledger, "settles-under-its-lease", `${nameOf(known)} was settled under another token`);
  known.unsettled.delete(token);
  checkAttempts(ledger, known, settlement);
  checkSuccess(ledger, known, outcome);
  observeRefusals(ledger, known, settlement);
  recordRound(known, settlement);
  observeTrueRound(ledger, known, settlement.attempts);
  noteSettlement(known.event, settlement);
  observeRoundEnd(ledger, known, outcome);
  if (settled === "purged") {
    recordPurged(ledger, known);
    return;
  }
  if (outcome.kind === "dead" && !isBlockedDeath(ledger, known, settlement)) checkDeath(ledger, known, outcome.reason);
  apply(ledger, known, outcome);
}

/** Checks that each recorded attempt matches a request that was sent, and the reply to that request. */
function checkAttempts(ledger: Ledger, known: KnownDelivery, { attempts, endpoints, outcome }: Settlement): void {
  for (const attempt of attempts) recordOnce(ledger, known, attempt);
  if (outcome.kind === "released" && attempts.length + endpoints.length > 0)
    reportBroken(ledger, "attempts-are-true", `${nameOf(known)}: a release records attempts or endpoints`);
  for (const attempt of attempts) {
    if (requestsOf(ledger, known, attempt).length > 0) continue;
    const what = `${resultOf(attempt.result)} of ${attempt.endpoint}`;
    reportBroken(ledger, "attempts-are-true", `${nameOf(known)}: ${what} was never seen`);
  }
  const isRound = outcome.kind === "delivered" || outcome.kind === "rescheduled";
  if (isRound && attempts.length === 0)
    reportBroken(ledger, "attempts-are-true", `${nameOf(known)}: a round without attempts`);
}

/** Checks that an attempt is recorded once: stores may use its round and its endpoint as its key. */
export function recordOnce(ledger: Ledger, known: KnownDelivery, attempt: AttemptRecord): void {
  const { round, endpoint } = attempt;
  noteAttempt(known.event, attempt);
  const key = `${String(round)} ${endpoint}`;
  if (known.recorded.has(key))
    reportBroken(
      ledger,
      "attempts-are-true",
      `${nameOf(known)}: round ${String(round)} of ${endpoint} is recorded twice`,
    );
  known.recorded.add(key);
}

function checkSuccess(ledger: Ledger, known: KnownDelivery, outcome: Outcome): void {
  if (outcome.kind === "delivered" && !known.succeeded) {
    reportBroken(
      ledger,
      "delivered-is-success",
      `${nameOf(known)} is delivered, and no receiver answered with success`,
    );
  }
  if (outcome.kind !== "delivered" && known.succeededUnderLease) {
    reportBroken(
      ledger,
      "delivered-is-success",
      `${nameOf(known)} got a success under its lease, and is ${outcome.kind}`,
    );
  }
}

function recordRound(known: KnownDelivery, { attempts }: Settlement): void {
  if (attempts.length === 0) return;
  const startedAt = attempts.map((attempt) => attempt.startedAt).reduce((one, other) => (one < other ? one : other));
  known.firstAttemptAt ??= startedAt;
  known.lastRoundAt = startedAt;
}

function checkDeath(ledger: Ledger, known: KnownDelivery, reason: string): void {
  checkRefusedDeath(ledger, known, reason);
  const isLate = reason === "expired" || !areAllFinal(ledger, known);
  if (known.firstAttemptAt === undefined)
    reportBroken(ledger, "first-attempt", `${nameOf(known)} died before its first attempt: ${reason}`);
  else if (isLate && !mayExpire(ledger, known, known.firstAttemptAt) && !hasGivenUp(ledger)) {
    reportBroken(ledger, "expires-in-time", `${nameOf(known)} was ${reason} with time left for a further round`);
  }
  if (isLate) checkTrueExpiry(ledger, known);
}

/**
 * Whether the delivery may expire: its window is over, its last round was in the last slot, or no further delay fits. A
 * process decides before the commit, and the wall clock may be set back in between (decision: clocks and decisions).
 */
export function mayExpire({ clock, policy }: Ledger, known: KnownDelivery, firstAttemptAt: number): boolean {
  const decidedBy = Math.max(clock.wall(), known.latestWall);
  const endsAt = firstAttemptAt + policy.retryWindowMs;
  const slotAt = lastSlotOf(policy, firstAttemptAt);
  return decidedBy + policy.firstRetryMs > endsAt - slotAt.marginMs - 1 || (known.lastRoundAt ?? 0) >= slotAt.from - 1;
}

/** Whether the schedule of the policy has given up more often than deliveries expired for it, this one not counted. */
function hasGivenUp(ledger: Ledger): boolean {
  ledger.giveUps -= 1;
  return ledger.giveUps >= 0;
}

function apply(ledger: Ledger, known: KnownDelivery, outcome: Outcome): void {
  switch (outcome.kind) {
    case "delivered":
      rest(ledger, known, "delivered");
      return;
    case "dead":
      known.reason = outcome.reason;
      rest(ledger, known, "dead");
      return;
    case "rescheduled":
    case "released":
      moveDelivery(ledger, known, "waiting");
      setWaiting(ledger, known, outcome.dueAt);
      return;
  }
}

function rest(ledger: Ledger, known: KnownDelivery, state: "delivered" | "dead"): void {
  moveDelivery(ledger, known, state);
  known.token = undefined;
  known.finishedAt = ledger.clock.monotonic();
}
