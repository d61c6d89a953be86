// Runs one round of a claimed delivery: sends in parallel, asks core what the replies mean, settles at the first success or at the
// last reply. Attempts that are still open then run on; each is added to the stored attempts when it ends. No promise waits for a
// step: it is called when a reply or a commit comes (decision: rounds as records).

import { judgeReply } from "@postrider/core";
import { type EndedAttempt, isForbidden, recordAttempt, type SettledRound, settleRound } from "@postrider/core/engine";
import { planFor, runAttempt, type Sending, type AttemptContext } from "./attempt.js";
import { endOf, reportRound, settleClaim, settlePlanned, type SettleContext } from "./settle.js";
import { type Claim, factsOf } from "./claim.js";
import type { WatchedClock, StoreClock } from "../fleet/clock.js";
import type { EmitEvent } from "../relay-event.js";
import type { LocalStreaks } from "../lanes/endpoints.js";
import type { Commits } from "../commits/commits.js";

/** Needed to report a round that says nothing about the receiver. */
interface UnsentContext {
  readonly localStreaks: LocalStreaks;
  readonly emit: EmitEvent;
}

/** Needed to judge the replies of a round. */
interface JudgeContext extends AttemptContext, UnsentContext {}

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
  readonly sending: Sending;
  readonly ended: readonly EndedAttempt[];
}

/** A round that is being sent, or waits for its settlement or for late attempts. */
interface OpenRound extends RepliedRound {
  /** The number of attempts that were begun. */
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
  // Only the end of the round shows whether a forbidden endpoint counts as an attempt.
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
    for (const attempt of round.late ?? []) append(context, round, attempt);
    finishPart(round);
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
    finishPart(round);
    return;
  }
  const attempt = recordAttempt(one, delivery.rounds + 1);
  const over = (): void => finishPart(round);
  // A fault has been reported by the storage.
  void commits.write({ append: [{ id: delivery.id, attempt }] }).match(over, over);
}

/** An attempt has ended, and what is known of it was written; or the settlement was, with the attempt that decided it. */
function finishPart(round: OpenRound): void {
  round.open -= 1;
  if (round.open === 0) round.steps.onEnded(round.claim);
}

/** Judges the replies of a round. Reports attempts at forbidden addresses and local faults, which only the last reply shows. */
function judgeRound(context: JudgeContext, { claim, sending, ended: attempts }: RepliedRound): SettledRound {
  const { delivery } = claim;
  const policy = context.settings.workspace().delivery;
  const settled = settleRound(
    {
      inForce: sending.inForce.endpoints,
      ended: attempts,
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
    for (const attempt of attempts.filter(({ reply }) => isForbidden(reply)))
      emitAttempt(context.emit, claim, attempt, false);
  }
  if (settled.scheduleFault !== undefined && policy.schedule !== undefined) {
    const fault = { schedule: policy.schedule.name, fault: settled.scheduleFault };
    context.emit({ kind: "schedule-fault", ...fault, ...factsOf(delivery) });
  }
  noteLocalFaults(context, claim, settled.signal);
  return settled;
}

function noteLocalFaults(context: UnsentContext, claim: Claim, signal: SettledRound["signal"]): void {
  const { id } = claim.delivery;
  if (signal !== "local") {
    context.localStreaks.end(id);
    return;
  }
  context.localStreaks.grow(id);
  context.emit({ kind: "local-fault", ...factsOf(claim.delivery) });
}

function emitAttempt(emit: EmitEvent, { delivery }: Claim, one: EndedAttempt, isLate: boolean): void {
  if (judgeReply(one.reply) === "local") return;
  const record = recordAttempt(one, delivery.rounds + 1);
  emit({ kind: "attempted", ...factsOf(delivery), attempt: record, isLate });
}
