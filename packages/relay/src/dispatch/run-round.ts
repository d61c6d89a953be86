// Runs one round of a claimed delivery: sends in parallel, asks core what the replies mean, settles at the first success or at the
// last reply. Attempts that are still open then run on; each is added to the stored attempts when it ends. No promise waits for a
// step: it is called when a reply or a commit comes (decision: rounds as records).

import { judgeReply } from "@postrider/core";
import { type EndedAttempt, isForbidden, recordAttempt, type SettledRound, settleRound } from "@postrider/core/engine";
import { planFor, runAttempt, type SendPlan, type AttemptContext } from "./attempt.js";
import { endOf, reportRound, settleClaim, settlePlanned, type SettleContext } from "./settle.js";
import { type Claim, factsOf } from "./claim.js";
import type { WatchedClock, StoreClock } from "../fleet/clock.js";
import type { EmitEvent } from "../relay-event.js";
import type { LocalStreaks } from "../lanes/endpoints.js";
import type { Commits } from "../commits/commits.js";

/** Needed to count and to report local faults. */
interface LocalFaultContext {
  readonly localStreaks: LocalStreaks;
  readonly emit: EmitEvent;
}

/** Needed to judge the replies of a round. */
interface JudgeContext extends AttemptContext, LocalFaultContext {}

/** Needed for an attempt that ends after its round. */
interface LateContext {
  readonly commits: Commits;
  readonly emit: EmitEvent;
}

/** Needed for a round from its first attempt to its last. */
interface SendContext extends JudgeContext, SettleContext {
  readonly clock: StoreClock;
}

/** Needed for whole rounds, from the plan to the last attempt. */
export interface RoundsContext extends SendContext {
  readonly clock: WatchedClock;
}

/** Callbacks for the steps of a round: each is called once, in this order. */
export interface RoundSteps {
  /** The round has the reply that decides it. */
  readonly onReplied: (claim: Claim) => void;
  /** The delivery is settled; late attempts may still be open. */
  readonly onSettled: (claim: Claim) => void;
  /** All attempts have ended, and all that is known of them was written. */
  readonly onEnded: (claim: Claim) => void;
}

interface RepliedRound {
  readonly claim: Claim;
  readonly sending: SendPlan;
  readonly endedAttempts: readonly EndedAttempt[];
}

/** A round that is being sent, or waits for its settlement or for late attempts. */
interface OpenRound extends RepliedRound {
  /** The number of attempts that were begun. */
  readonly attemptCount: number;
  readonly steps: RoundSteps;
  readonly endedAttempts: EndedAttempt[];
  /** Attempts without a reply, and writes without an answer. */
  open: number;
  state: "sending" | "settling" | "settled" | "stale";
  /** Attempts that have ended while the settlement was written; absent if there are none. */
  lateAttempts?: EndedAttempt[];
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

function sendRound(
  context: SendContext,
  sending: SendPlan,
  { claim, steps }: Pick<OpenRound, "claim" | "steps">,
): void {
  const { inForce, endpoints, startedAt } = sending;
  const attemptCount = endpoints.length;
  const open = attemptCount;
  const round: OpenRound = { claim, sending, steps, attemptCount, endedAttempts: [], open, state: "sending" };
  const onEnded = (attempt: EndedAttempt): void => attemptEnded(context, round, attempt);
  for (const endpoint of endpoints) {
    runAttempt(context, claim.delivery, { inForce, endpoint, startedAt }, onEnded);
  }
}

function attemptEnded(context: SendContext, round: OpenRound, attempt: EndedAttempt): void {
  if (round.state !== "sending") {
    attemptEndedLate(context, round, attempt);
    return;
  }
  // Only the end of the round shows whether a forbidden endpoint counts as an attempt.
  if (!isForbidden(attempt.reply)) emitAttempt(context.emit, round.claim, attempt, false);
  round.endedAttempts.push(attempt);
  const isLast = round.endedAttempts.length === round.attemptCount;
  // In `open`, the settlement takes the place of the attempt that decides the round.
  if (judgeReply(attempt.reply) === "success" || isLast) settle(context, round);
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
    for (const attempt of round.lateAttempts ?? []) append(context, round, attempt);
    finishPart(round);
  });
}

/** Reports a late attempt, and appends it once the settlement is written. */
function attemptEndedLate(context: LateContext, round: OpenRound, attempt: EndedAttempt): void {
  emitAttempt(context.emit, round.claim, attempt, true);
  if (round.state === "settling") (round.lateAttempts ??= []).push(attempt);
  else append(context, round, attempt);
}

/**
 * Appends an attempt that ended after its round was settled. After a stale settlement it is left out: another process has recorded a
 * round, or will. If it cannot be written, only this attempt is lost.
 */
function append({ commits }: Pick<LateContext, "commits">, round: OpenRound, ended: EndedAttempt): void {
  const { delivery } = round.claim;
  if (round.state === "stale" || judgeReply(ended.reply) === "local") {
    finishPart(round);
    return;
  }
  const attempt = recordAttempt(ended, delivery.rounds + 1);
  const onWritten = (): void => finishPart(round);
  // A fault has been reported by the storage.
  void commits.write({ append: [{ id: delivery.id, attempt }] }).match(onWritten, onWritten);
}

/** An attempt has ended, and what is known of it was written; or the settlement was, with the attempt that decided it. */
function finishPart(round: OpenRound): void {
  round.open -= 1;
  if (round.open === 0) round.steps.onEnded(round.claim);
}

/** Judges the replies of a round. Reports attempts at forbidden addresses and local faults, which only the last reply shows. */
function judgeRound(context: JudgeContext, { claim, sending, endedAttempts }: RepliedRound): SettledRound {
  const { delivery } = claim;
  const policy = context.settings.workspace().delivery;
  const settled = settleRound(
    {
      inForce: sending.inForce.endpoints,
      ended: endedAttempts,
      delivery,
      acceptedAt: delivery.acceptedAt,
      policy,
      confirming: sending.confirming,
      standings: context.endpoints.standings(delivery.lane),
      holds: context.endpoints.holds(delivery.lane),
      localStreak: context.localStreaks.of(delivery.id),
    },
    { delay: context.random.unit(), slot: context.random.unit() },
    context.clock.wall(),
  );
  if (settled.signal !== "blocked") {
    for (const attempt of endedAttempts.filter(({ reply }) => isForbidden(reply)))
      emitAttempt(context.emit, claim, attempt, false);
  }
  if (settled.scheduleFault !== undefined && policy.schedule !== undefined) {
    const { name: schedule } = policy.schedule;
    context.emit({ kind: "schedule-fault", schedule, fault: settled.scheduleFault, ...factsOf(delivery) });
  }
  noteLocalFaults(context, claim, settled.signal);
  return settled;
}

function noteLocalFaults(context: LocalFaultContext, claim: Claim, signal: SettledRound["signal"]): void {
  const { id } = claim.delivery;
  if (signal !== "local") {
    context.localStreaks.end(id);
    return;
  }
  context.localStreaks.grow(id);
  context.emit({ kind: "local-fault", ...factsOf(claim.delivery) });
}

function emitAttempt(emit: EmitEvent, { delivery }: Claim, ended: EndedAttempt, isLate: boolean): void {
  if (judgeReply(ended.reply) === "local") return;
  const attempt = recordAttempt(ended, delivery.rounds + 1);
  emit({ kind: "attempted", ...factsOf(delivery), attempt, isLate });
}
