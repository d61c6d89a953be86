// One round of a played call: core plans it, the receivers answer, and core settles it. What a relay would store of the delivery is
// kept with the call.

import { type DeliveryPolicy, type EndpointId, epochMs, type Outcome } from "@postrider/core";
import { isRefusedByAll, planRound, type RoundDelivery, settleRound, withoutRefused } from "@postrider/core/engine";
import type { ClaimEnd, PlayedCall } from "./played-lane.js";
import type { PlayedReceivers, RepliedRound, SentRound } from "./played-receivers.js";

/** Needed to play a round. `draw` returns random numbers from [0, 1). */
export interface RoundWorld {
  readonly policy: DeliveryPolicy;
  readonly receivers: PlayedReceivers;
  readonly draw: () => number;
  /** The start of the outage, from which the times of calls are counted. */
  readonly startsAt: number;
}

/** A round that is sent. */
export interface RunningRound {
  readonly call: PlayedCall;
  readonly sent: SentRound;
  readonly replied: RepliedRound;
  readonly confirming: readonly EndpointId[];
  readonly endsMs: number;
}

/** Sends the round of a claimed call, or ends the claim without one, as core plans. */
export function startRound(world: RoundWorld, call: PlayedCall, nowMs: number): RunningRound | ClaimEnd {
  const { policy, receivers, draw, startsAt } = world;
  const { inForce, holds, standings } = receivers;
  const startedAt = epochMs(startsAt + nowMs);
  const plan = planRound(
    call.stored,
    {
      policy,
      endpoints: inForce,
      holds,
      standings,
      saturated: new Set(),
      // Leases and starts of a process are not played: this claim lasts, and the process was always there.
      leaseUntil: epochMs(Number.MAX_SAFE_INTEGER),
      claimingSince: epochMs(0),
      dueAt: startedAt,
      draw: draw(),
    },
    startedAt,
  );
  if (plan.kind === "settle") return endWithoutRound(call, plan.outcome, world);
  const sent = { messageId: call.id, round: call.stored.rounds + 1, startedAt, endpoints: plan.endpoints };
  const replied = receivers.answer(sent);
  const { notBeforeMs, isConfirmation } = call;
  call.rounds.push({ startMs: nowMs, endMs: replied.endsAt - startsAt, notBeforeMs, isConfirmation });
  return { call, sent, replied, confirming: plan.confirming, endsMs: replied.endsAt - startsAt };
}

function endWithoutRound(call: PlayedCall, outcome: Outcome, { receivers, startsAt }: RoundWorld): ClaimEnd {
  const isFirst = call.stored.rounds === 0;
  if (outcome.kind !== "released") {
    call.isRefused = isRefusedForGood(call.stored, receivers);
    return { signal: "none", isFirst };
  }
  const dueMs = outcome.dueAt - startsAt;
  call.notBeforeMs = Math.max(call.notBeforeMs, dueMs);
  return { signal: "none", isFirst, dueMs };
}

/** Settles a round whose replies have come. */
export function endRound(world: RoundWorld, { call, sent, replied, confirming, endsMs }: RunningRound): ClaimEnd {
  const { policy, receivers, draw, startsAt } = world;
  receivers.hear(sent, replied);
  const { inForce, standings, holds } = receivers;
  const delivery = call.stored;
  const draws = { delay: draw(), slot: draw() };
  const acceptedAt = epochMs(startsAt + call.acceptedMs);
  const round = { delivery, acceptedAt, inForce, ended: replied.ended, policy, confirming, standings, holds };
  const { outcome, endpoints, signal } = settleRound({ ...round, localStreak: 0 }, draws, replied.endsAt);

  const firstAttemptAt = delivery.firstAttemptAt ?? sent.startedAt;
  call.stored = { rounds: delivery.rounds + 1, firstAttemptAt, endpoints };
  const isFirst = delivery.rounds === 0;
  if (outcome.kind === "rescheduled") {
    call.isConfirmation = isRefusedByAll(call.stored, inForce) && !isRefusedByAll(delivery, inForce);
    const notBefore = call.isConfirmation ? outcome.dueAt : heldUntil(call.stored, receivers);
    call.notBeforeMs = Math.max(call.notBeforeMs, notBefore - startsAt);
    return { signal, isFirst, dueMs: outcome.dueAt - startsAt };
  }
  if (outcome.kind === "delivered") call.deliveredMs = endsMs;
  else call.isRefused = isRefusedForGood(call.stored, receivers);
  return { signal, isFirst };
}

/** The end of the first hold among the endpoints that may get another attempt; 0 if one of them is not on hold. */
function heldUntil({ endpoints }: RoundDelivery, { inForce, holds }: PlayedReceivers): number {
  return Math.min(...withoutRefused(inForce, endpoints).map((endpoint) => holds.get(endpoint) ?? 0));
}

function isRefusedForGood({ endpoints }: RoundDelivery, { inForce }: PlayedReceivers): boolean {
  return withoutRefused(inForce, endpoints).length === 0;
}
