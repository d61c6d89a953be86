// Asks core what the replies of a round mean, and tells the observer of the attempts. Must not know how they were sent, nor how a
// settlement is written.

import { judgeReply } from "@postrider/core";
import { type EndedAttempt, isForbidden, recordAttempt, type SettledRound, settleRound } from "@postrider/core/engine";
import type { EmitEvent } from "../relay-event.js";
import type { Claim } from "./claim.js";
import type { JudgeContext, UnsentContext } from "./context.js";
import { factsOf } from "./delivery-facts.js";
import type { Sending } from "./plan.js";

export interface RepliedRound {
  readonly claim: Claim;
  readonly sending: Sending;
  readonly ended: readonly EndedAttempt[];
}

/** Judges the replies of a round. Reports what was not known before its last one: attempts at forbidden addresses, and local faults. */
export function judgeRound(context: JudgeContext, { claim, sending, ended: attempts }: RepliedRound): SettledRound {
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
    for (const one of attempts.filter(({ reply }) => isForbidden(reply))) emitAttempt(context.emit, claim, one, false);
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

export function emitAttempt(emit: EmitEvent, { delivery }: Claim, one: EndedAttempt, isLate: boolean): void {
  if (judgeReply(one.reply) === "local") return;
  const record = recordAttempt(one, delivery.rounds + 1);
  emit({ kind: "attempted", ...factsOf(delivery), attempt: record, isLate });
}
