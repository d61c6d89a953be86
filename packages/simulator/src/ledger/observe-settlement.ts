// Records a settlement that took effect, and checks its lease, its attempts, its window, and that each refusal for good
// may be one (decision: refusals). Does not call core, so that an error of core is not repeated.

import type { AttemptRecord, Outcome, Settlement, SettleResult, EndpointId } from "@postrider/core";
import { isBlockedDeath } from "./holds.js";
import { reportBroken, type KnownDelivery, type Ledger, nameOf, addHistoryLine, laneOf } from "./ledger.js";
import { requestsOf, checkTrueExpiry, observeTrueRound } from "./fleet/windows.js";
import { noteAttempt, noteSettlement, resultOf, lastSlotOf, isOfOneBody, verdictOf } from "./verdicts.js";
import { isFinished, moveDelivery, setWaiting } from "./move.js";
import { recordPurged } from "./observe-deletion.js";
import { observeRoundEnd } from "./rates.js";
import { hasChangedSince } from "./settings.js";
import { hasSucceededBetween } from "./standings.js";

/** Records a settlement; `settled` is what the store answered. */
export function observeSettlement(
  ledger: Ledger,
  settlement: Settlement,
  settled: Exclude<SettleResult, "stale"> = "settled",
): void {
  const { id, token, outcome } = settlement;
  const delivery = ledger.deliveries.get(id);
  if (delivery === undefined) {
    reportBroken(ledger, "stored-before-sent", `delivery ${id} was settled and never stored`);
    return;
  }
  addHistoryLine(ledger, `settled ${nameOf(delivery)} ${outcome.kind}`);
  if (isFinished(delivery))
    reportBroken(ledger, "settles-once", `${nameOf(delivery)} was ${delivery.state} and is ${outcome.kind}`);
  else if (delivery.token !== token)
    reportBroken(ledger, "settles-under-its-lease", `${nameOf(delivery)} was settled under another token`);
  delivery.unsettled.delete(token);
  checkAttempts(ledger, delivery, settlement);
  checkSuccess(ledger, delivery, outcome);
  observeRefusals(ledger, delivery, settlement);
  recordRound(ledger, delivery, settlement);
  observeTrueRound(ledger, delivery, settlement.attempts);
  noteSettlement(delivery.evidence, settlement);
  observeRoundEnd(ledger, delivery, outcome);
  if (settled === "purged") {
    recordPurged(ledger, delivery);
    return;
  }
  if (outcome.kind === "dead" && !isBlockedDeath(ledger, delivery, settlement))
    checkDeath(ledger, delivery, outcome.reason);
  apply(ledger, delivery, outcome);
}

/** Checks that each recorded attempt matches a request that was sent, and the reply to that request. */
function checkAttempts(ledger: Ledger, delivery: KnownDelivery, { attempts, endpoints, outcome }: Settlement): void {
  for (const attempt of attempts) recordOnce(ledger, delivery, attempt);
  if (outcome.kind === "released" && attempts.length + endpoints.length > 0)
    reportBroken(ledger, "attempts-are-true", `${nameOf(delivery)}: a release records attempts or endpoints`);
  for (const attempt of attempts) {
    if (requestsOf(ledger, delivery, attempt).length > 0) continue;
    const description = `${resultOf(attempt.result)} of ${attempt.endpoint}`;
    reportBroken(ledger, "attempts-are-true", `${nameOf(delivery)}: ${description} was never seen`);
  }
  const isRound = outcome.kind === "delivered" || outcome.kind === "rescheduled";
  if (isRound && attempts.length === 0)
    reportBroken(ledger, "attempts-are-true", `${nameOf(delivery)}: a round without attempts`);
}

/** Checks that an attempt is recorded once: stores may use its round and its endpoint as its key. */
export function recordOnce(ledger: Ledger, delivery: KnownDelivery, attempt: AttemptRecord): void {
  const { round, endpoint } = attempt;
  noteAttempt(delivery.evidence, attempt);
  const key = `${String(round)} ${endpoint}`;
  if (delivery.recorded.has(key))
    reportBroken(
      ledger,
      "attempts-are-true",
      `${nameOf(delivery)}: round ${String(round)} of ${endpoint} is recorded twice`,
    );
  delivery.recorded.add(key);
}

function checkSuccess(ledger: Ledger, delivery: KnownDelivery, outcome: Outcome): void {
  if (outcome.kind === "delivered" && !delivery.succeeded) {
    reportBroken(
      ledger,
      "delivered-is-success",
      `${nameOf(delivery)} is delivered, and no receiver answered with success`,
    );
  }
  if (outcome.kind !== "delivered" && delivery.succeededUnderLease) {
    reportBroken(
      ledger,
      "delivered-is-success",
      `${nameOf(delivery)} got a success under its lease, and is ${outcome.kind}`,
    );
  }
}

function recordRound({ clock }: Ledger, delivery: KnownDelivery, { attempts }: Settlement): void {
  delivery.rounds.settledAt = clock.monotonic();
  if (attempts.length === 0) return;
  const startedAt = attempts
    .map((attempt) => attempt.startedAt)
    .reduce((first, second) => (first < second ? first : second));
  delivery.firstAttemptAt ??= startedAt;
  delivery.lastRoundAt = startedAt;
}

function checkDeath(ledger: Ledger, delivery: KnownDelivery, reason: string): void {
  checkRefusedDeath(ledger, delivery, reason);
  const isLate = reason === "expired" || !areAllFinal(ledger, delivery);
  if (delivery.firstAttemptAt === undefined)
    reportBroken(ledger, "first-attempt", `${nameOf(delivery)} died before its first attempt: ${reason}`);
  else if (isLate && !mayExpire(ledger, delivery, delivery.firstAttemptAt) && !hasGivenUp(ledger)) {
    reportBroken(ledger, "expires-in-time", `${nameOf(delivery)} was ${reason} with time left for a further round`);
  }
  if (isLate) checkTrueExpiry(ledger, delivery);
}

/**
 * True if the delivery may expire: its window is over, its last round was in the last slot, or no further delay fits. A
 * process decides before the commit, and the wall clock may be set back in between (decision: clocks and decisions).
 */
export function mayExpire({ clock, policy }: Ledger, delivery: KnownDelivery, firstAttemptAt: number): boolean {
  const decidedBy = Math.max(clock.wall(), delivery.latestWall);
  const endsAt = firstAttemptAt + policy.retryWindowMs;
  const slotAt = lastSlotOf(policy, firstAttemptAt);
  return (
    decidedBy + policy.firstRetryMs > endsAt - slotAt.marginMs - 1 || (delivery.lastRoundAt ?? 0) >= slotAt.from - 1
  );
}

/** True if the schedule of the policy has given up more often than deliveries expired for it, this one not counted. */
function hasGivenUp(ledger: Ledger): boolean {
  ledger.giveUps -= 1;
  return ledger.giveUps >= 0;
}

function apply(ledger: Ledger, delivery: KnownDelivery, outcome: Outcome): void {
  switch (outcome.kind) {
    case "delivered":
      finish(ledger, delivery, "delivered");
      return;
    case "dead":
      delivery.reason = outcome.reason;
      finish(ledger, delivery, "dead");
      return;
    case "rescheduled":
    case "released":
      moveDelivery(ledger, delivery, "waiting");
      setWaiting(ledger, delivery, outcome.dueAt);
      return;
  }
}

function finish(ledger: Ledger, delivery: KnownDelivery, state: "delivered" | "dead"): void {
  moveDelivery(ledger, delivery, state);
  delivery.token = undefined;
  delivery.finishedAt = ledger.clock.monotonic();
}

/** Records what the endpoints of a settlement have refused, and checks each refusal that is for good from now on. */
function observeRefusals(ledger: Ledger, delivery: KnownDelivery, { attempts, endpoints }: Settlement): void {
  const { finalEndpoints, refusedAt } = delivery.evidence;
  for (const { endpoint, refused } of endpoints) {
    if (!refused || finalEndpoints.has(endpoint)) continue;
    const attempt = attempts.find((candidate) => candidate.endpoint === endpoint);
    const wrong = attempt === undefined ? "it got no attempt" : wrongFinal(ledger, delivery, attempt);
    if (wrong !== undefined)
      reportBroken(ledger, "refused-for-good", `${endpoint} has refused ${nameOf(delivery)} for good: ${wrong}`);
    finalEndpoints.add(endpoint);
  }
  for (const attempt of attempts) {
    const heardTimes = requestsOf(ledger, delivery, attempt).map(({ heardAt }) => heardAt ?? ledger.clock.monotonic());
    const [firstHeardAt] = heardTimes.toSorted((first, second) => first - second);
    if (firstHeardAt !== undefined && verdictOf(resultOf(attempt.result)) === "refused")
      refusedAt.set(attempt.endpoint, firstHeardAt);
    else refusedAt.delete(attempt.endpoint);
  }
}

/** The error in a final refusal; undefined if it is right. */
function wrongFinal(ledger: Ledger, delivery: KnownDelivery, attempt: AttemptRecord): string | undefined {
  const { endpoint } = attempt;
  const result = resultOf(attempt.result);
  if (verdictOf(result) !== "refused") return `the result was ${result}`;
  if (isOfOneBody(result)) return undefined;
  const earlierRefusalAt = delivery.evidence.refusedAt.get(endpoint);
  if (earlierRefusalAt === undefined) return "it was the first refusal";
  const requests = requestsOf(ledger, delivery, attempt);
  const place = { lane: laneOf(ledger, delivery.lane), endpoint };
  const sentBy = Math.max(...requests.map(({ sentAt }) => sentAt));
  if (!hasSucceededBetween(ledger, place, { afterMs: earlierRefusalAt, byMs: sentBy }))
    return "it has taken no message since the refusal before";
  // Of several endpoints, another one may have decided the round, at a later time.
  const wasRefusing = requests.every((request) => request.isOnly && request.wasRefusing);
  return wasRefusing ? "it refuses whatever it gets" : undefined;
}

/** True if every endpoint in force has refused the delivery for good. */
function areAllFinal(ledger: Ledger, delivery: KnownDelivery): boolean {
  const { lane, evidence } = delivery;
  const areFinal = laneOf(ledger, lane).endpoints.every((endpoint) => evidence.finalEndpoints.has(endpoint));
  return areFinal || hasChangedSince(ledger, delivery);
}

/** Checks that a delivery whose time is over died as refused if, and only if, each endpoint had refused it when it was last asked. */
function checkRefusedDeath(ledger: Ledger, delivery: KnownDelivery, reason: string): void {
  const { finalEndpoints, refusedAt } = delivery.evidence;
  const hasRefused = (endpoint: EndpointId): boolean => finalEndpoints.has(endpoint) || refusedAt.has(endpoint);
  const isRefused = laneOf(ledger, delivery.lane).endpoints.every(hasRefused);
  if (isRefused === (reason === "refused") || hasChangedSince(ledger, delivery)) return;
  const reality = isRefused ? "all its endpoints refused it" : "not all its endpoints refused it last";
  reportBroken(ledger, "dies-refused", `${nameOf(delivery)} died as ${reason}, and ${reality}`);
}
