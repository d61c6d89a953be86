// Reads a settlement that took effect, and checks the leases, the replies of receivers and the window.

import { END_MARGIN_DIVISOR, LAST_SLOT_DIVISOR, MIN_END_MARGIN_MS } from "@postrider/core/engine";
import type { Outcome, Settlement } from "@postrider/core";
import { blame, type Known, type Ledger, nameOf, tell } from "./ledger.js";
import { isFinished, moveKnown, wait } from "./move.js";
import { seeRoundEnd } from "./see-lane.js";

export function seeSettlement(ledger: Ledger, settlement: Settlement): void {
  const { id, token, outcome } = settlement;
  const known = ledger.deliveries.get(id);
  if (known === undefined) {
    blame(ledger, "stored-before-sent", `delivery ${id} was settled and never stored`);
    return;
  }
  tell(ledger, `settled ${nameOf(known)} ${outcome.kind}`);
  if (isFinished(known)) blame(ledger, "settles-once", `${nameOf(known)} was ${known.state} and is ${outcome.kind}`);
  else if (known.token !== token) blame(ledger, "settles-under-its-lease", `${nameOf(known)}, ${outcome.kind}`);
  checkAttempts(ledger, known, settlement);
  checkSuccess(ledger, known, outcome);
  recordRound(known, settlement);
  seeRoundEnd(ledger, known, outcome);
  if (outcome.kind === "dead") checkDeath(ledger, known, outcome.reason);
  apply(ledger, known, outcome);
}

/** Each recorded attempt must match a request that was sent, and its reply. */
function checkAttempts(ledger: Ledger, known: Known, { attempts, outcome }: Settlement): void {
  for (const { endpoint, startedAt, result } of attempts) {
    const said = result.kind === "answered" ? String(result.status) : result.fault;
    const isTrue = known.sent.some(
      (sent) => sent.endpoint === endpoint && sent.startedAt === startedAt && sent.result === said,
    );
    if (!isTrue) blame(ledger, "attempts-are-true", `${nameOf(known)}: ${said} of ${endpoint} was never seen`);
  }
  const isRound = outcome.kind === "delivered" || outcome.kind === "rescheduled";
  if (isRound && attempts.length === 0)
    blame(ledger, "attempts-are-true", `${nameOf(known)}: a round without attempts`);
}

function checkSuccess(ledger: Ledger, known: Known, outcome: Outcome): void {
  if (outcome.kind === "delivered" && !known.succeeded) {
    blame(ledger, "delivered-is-success", `${nameOf(known)} is delivered, and no receiver answered with success`);
  }
  if (outcome.kind !== "delivered" && known.succeededUnderLease) {
    blame(ledger, "delivered-is-success", `${nameOf(known)} was taken, and is ${outcome.kind}`);
  }
}

function recordRound(known: Known, { attempts }: Settlement): void {
  if (attempts.length === 0) return;
  const startedAt = attempts.map((attempt) => attempt.startedAt).reduce((one, other) => (one < other ? one : other));
  known.firstAttemptAt ??= startedAt;
  known.lastRoundAt = startedAt;
}

function checkDeath(ledger: Ledger, known: Known, reason: string): void {
  if (known.firstAttemptAt === undefined) blame(ledger, "first-attempt", `${nameOf(known)} died untried: ${reason}`);
  else if (reason === "expired" && !mayExpire(ledger, known, known.firstAttemptAt)) {
    blame(ledger, "expires-in-time", `${nameOf(known)} expired with time left for a further round`);
  }
}

/**
 * Whether the delivery may expire: its window is over, its last round was in the last slot, or no further delay fits. A
 * process decides this before the commit, and the clock may have been set back since (decision: clocks and decisions).
 */
export function mayExpire({ clock, policy }: Ledger, known: Known, firstAttemptAt: number): boolean {
  const decidedBy = Math.max(clock.wall(), known.latestWall);
  const endsAt = firstAttemptAt + policy.retryWindowMs;
  const slotAt = lastStretchAt(policy, firstAttemptAt);
  return decidedBy + policy.firstRetryMs > endsAt - slotAt.marginMs - 1 || (known.lastRoundAt ?? 0) >= slotAt.from - 1;
}

/**
 * When the last slot of the window begins, and the margin that is left free at the end of the window (decision:
 * schedule).
 */
export function lastStretchAt(
  { retryWindowMs }: { readonly retryWindowMs: number },
  firstAttemptAt: number,
): { readonly from: number; readonly marginMs: number } {
  const marginMs = Math.max(retryWindowMs / END_MARGIN_DIVISOR, MIN_END_MARGIN_MS);
  return { marginMs, from: firstAttemptAt + retryWindowMs - Math.max(retryWindowMs / LAST_SLOT_DIVISOR, 2 * marginMs) };
}

function apply(ledger: Ledger, known: Known, outcome: Outcome): void {
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
      moveKnown(ledger, known, "waiting");
      wait(ledger, known, outcome.dueAt);
      return;
  }
}

function rest(ledger: Ledger, known: Known, state: "delivered" | "dead"): void {
  moveKnown(ledger, known, state);
  known.token = undefined;
  known.restedAt = ledger.clock.monotonic();
}
