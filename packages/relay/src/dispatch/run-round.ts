// Runs one round of a claimed delivery: asks core whether and where to send, sends in parallel, settles at the first success
// or at the last reply. Attempts that are still open then run on; each is added to the stored attempts when it ends. No promise
// waits for a step: it is called when a reply or a commit comes (decision: rounds as records).

import { judgeReply } from "@postrider/core";
import { type EndedAttempt, isForbidden, recordAttempt } from "@postrider/core/engine";
import { runAttempt } from "./attempt.js";
import type { LateContext, RoundsContext, SendContext } from "./context.js";
import { emitAttempt, judgeRound, type RepliedRound } from "./judge-round.js";
import { planFor, type Sending } from "./plan.js";
import { endOf, reportRound, settleClaim, settlePlanned } from "./settle.js";
import type { Claim } from "./claim.js";

/** What is called as a round goes on: each once, in this order. */
export interface RoundSteps {
  /** The round has the reply that decides it. */
  readonly onReplied: (claim: Claim) => void;
  /** The delivery is settled; late attempts may still be open. */
  readonly onSettled: (claim: Claim) => void;
  /** All attempts have ended, and what is known of them was written. */
  readonly onEnded: (claim: Claim) => void;
}

/** A round that is being sent, or waits for its settlement or for late attempts. */
interface OpenRound extends RepliedRound {
  /** How many attempts were begun. */
  readonly attempts: number;
  readonly steps: RoundSteps;
  readonly ended: EndedAttempt[];
  /** Attempts without a reply, and writes without an answer. */
  open: number;
  state: "sending" | "settling" | "settled" | "stale";
  /** Attempts that have ended while the settlement was written; absent if there are none. */
  late?: EndedAttempt[];
}

/** Runs a round to its end, late attempts included. */
export function runRound(context: RoundsContext, claim: Claim, steps: RoundSteps): void {
  const plan = planFor(context, claim);
  if (plan.kind === "send") {
    sendRound(context, plan, { claim, steps });
    return;
  }
  settlePlanned(context, claim, plan.outcome, () => {
    steps.onSettled(claim);
    steps.onEnded(claim);
  });
}

function sendRound(context: SendContext, sending: Sending, { claim, steps }: Pick<OpenRound, "claim" | "steps">): void {
  const { inForce, endpoints, startedAt } = sending;
  const attempts = endpoints.length;
  const round: OpenRound = { claim, sending, steps, attempts, ended: [], open: attempts, state: "sending" };
  const onEnded = (one: EndedAttempt): void => attemptEnded(context, round, one);
  for (const endpoint of endpoints) {
    runAttempt(context, claim.delivery, { inForce, endpoint, startedAt }, onEnded);
  }
}

function attemptEnded(context: SendContext, round: OpenRound, one: EndedAttempt): void {
  if (round.state !== "sending") {
    attemptEndedLate(context, round, one);
    return;
  }
  // Whether a forbidden endpoint counts as an attempt is known only at the end of the round.
  if (!isForbidden(one.reply)) emitAttempt(context.emit, round.claim, one, false);
  round.ended.push(one);
  if (judgeReply(one.reply) === "success" || round.ended.length === round.attempts) settle(context, round);
  // The settlement is open in its place.
  else round.open -= 1;
}

/** Reports the end of the round to its lane, and writes its settlement. */
function settle(context: SendContext, round: OpenRound): void {
  const { claim, steps } = round;
  const settled = judgeRound(context, round);
  round.state = "settling";
  reportRound(context, claim, endOf(settled));
  steps.onReplied(claim);
  settleClaim(context, claim, settled, (tookEffect) => {
    round.state = tookEffect ? "settled" : "stale";
    steps.onSettled(claim);
    for (const one of round.late ?? []) append(context, round, one);
    ended(round);
  });
}

/** Attempts of a delivery that was not settled here are not recorded: another process has recorded a round, or will. */
function attemptEndedLate(context: LateContext, round: OpenRound, one: EndedAttempt): void {
  emitAttempt(context.emit, round.claim, one, true);
  if (round.state === "settling") (round.late ??= []).push(one);
  else append(context, round, one);
}

/** Appends an attempt that ended after its delivery was settled. If it cannot be written, only this attempt is lost. */
function append({ commits }: Pick<LateContext, "commits">, round: OpenRound, one: EndedAttempt): void {
  const { delivery } = round.claim;
  if (round.state === "stale" || judgeReply(one.reply) === "local") {
    ended(round);
    return;
  }
  const attempt = recordAttempt(one, delivery.rounds + 1);
  const over = (): void => ended(round);
  // A fault has been reported by the storage.
  void commits.write({ append: [{ id: delivery.id, attempt }] }).match(over, over);
}

/** An attempt has ended, and what is known of it was written; or the settlement was, with the attempt that decided it. */
function ended(round: OpenRound): void {
  round.open -= 1;
  if (round.open === 0) round.steps.onEnded(round.claim);
}
