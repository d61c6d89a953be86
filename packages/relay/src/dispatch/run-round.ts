// Runs one round of a claimed delivery: asks core whether and where to send, sends in parallel, settles at the first success
// or at the last reply. Attempts that are still open then run on; each is added to the stored attempts when it ends.

import { type EndpointId, epochMs, judgeReply, type Outcome } from "@postrider/core";
import {
  type EndedAttempt,
  isForbidden,
  planRound,
  recordAttempt,
  type RoundEnd,
  type SettledRound,
  settleRound,
} from "@postrider/core/engine";
import { runAttempt } from "./attempt.js";
import { instantOf, leaseEnd } from "../storage/held-lease.js";
import type { Commits } from "../storage/commits.js";
import type { EmitEvent } from "../relay-event.js";
import type { Claim } from "./claim.js";
import type { JudgeContext, PlanContext, RoundsContext, SettleContext, UnsentContext } from "./context.js";
import { settleClaim, settlePlanned, reportRound } from "./settle.js";
import { factsOf } from "./delivery-facts.js";
import type { DestinationInForce } from "../state/settings-in-force.js";

export interface RoundRun {
  readonly claim: Claim;
  /** Called once, when the delivery is settled; late attempts may still be open. */
  readonly onSettled: () => void;
}

/** Runs a round to its end, late attempts included. */
export function runRound(context: RoundsContext, run: RoundRun): Promise<void> {
  const plan = planFor(context, run.claim);
  return plan.kind === "settle" ? settleUnsent(context, run, plan.outcome) : sendRound(context, run, plan);
}

async function settleUnsent(context: SettleContext, run: RoundRun, outcome: Outcome): Promise<void> {
  await settlePlanned(context, run.claim, outcome);
  run.onSettled();
}

/** The plan of core, with the destination that it is for. */
type Plan = { readonly kind: "settle"; readonly outcome: Outcome } | ({ readonly kind: "send" } & Sending);

interface Sending {
  readonly inForce: DestinationInForce;
  readonly endpoints: readonly EndpointId[];
}

/**
 * Asks core for the plan of the round. Releases the delivery if its destination has been removed, switched off or
 * paused since the claim.
 */
function planFor(context: PlanContext, { delivery, lease }: Claim): Plan {
  const inForce = context.settings.destination(delivery.lane);
  if (inForce === undefined || !context.settings.isOpen(delivery.lane)) {
    return { kind: "settle", outcome: { kind: "released", dueAt: context.clock.wall() } };
  }
  const now = instantOf(context.clock);
  const plan = planRound(
    delivery,
    {
      policy: context.settings.workspace().delivery,
      endpoints: inForce.endpoints,
      holds: context.endpoints.holds(delivery.lane),
      saturated: context.endpoints.saturated(delivery.lane),
      leaseUntil: leaseEnd(lease, now),
      dueAt: delivery.dueAt,
      // Overdue retries of a held lane are not delayed: they are sent as probes, one at a time, and so are no burst.
      claimingSince: context.lanes.isHeld(delivery.lane) ? ALWAYS : context.clock.claimingSince(),
      draw: context.random.unit(),
    },
    now.wall,
  );
  return plan.kind === "settle" ? plan : { kind: "send", inForce, endpoints: plan.endpoints };
}

const ALWAYS = epochMs(0);

async function sendRound(context: JudgeContext, run: RoundRun, { inForce, endpoints }: Sending): Promise<void> {
  const ended: EndedAttempt[] = [];
  let settling: Promise<boolean> | undefined;

  async function onEnded(one: EndedAttempt): Promise<void> {
    if (settling !== undefined) {
      emitAttempt(context.emit, run.claim, one, true);
      if (await settling) await append(context.commits, run.claim, one);
      return;
    }
    // Whether a forbidden endpoint counts as an attempt is known only at the end of the round.
    if (!isForbidden(one.reply)) emitAttempt(context.emit, run.claim, one, false);
    ended.push(one);
    if (judgeReply(one.reply) !== "success" && ended.length < endpoints.length) return;
    settling = settleEnded(context, run, { inForce: inForce.endpoints, ended });
    await settling;
    run.onSettled();
  }

  const { delivery } = run.claim;
  await Promise.all(endpoints.map((endpoint) => runAttempt(context, delivery, { inForce, endpoint }).then(onEnded)));
}

function settleEnded(
  context: JudgeContext,
  { claim }: RoundRun,
  { inForce, ended }: Pick<RoundEnd, "inForce" | "ended">,
): Promise<boolean> {
  const { delivery } = claim;
  const now = context.clock.wall();
  const policy = context.settings.workspace().delivery;
  const settled = settleRound(
    {
      inForce,
      ended,
      delivery,
      acceptedAt: delivery.acceptedAt,
      policy,
      holds: context.endpoints.holds(delivery.lane),
      localStreak: context.localStreaks.of(delivery.id),
    },
    { delay: context.random.unit(), slot: context.random.unit() },
    now,
  );
  if (settled.unsent !== "blocked") {
    for (const one of ended.filter(({ reply }) => isForbidden(reply))) emitAttempt(context.emit, claim, one, false);
  }
  if (settled.scheduleFault !== undefined && policy.schedule !== undefined) {
    const fault = { schedule: policy.schedule.name, fault: settled.scheduleFault };
    context.emit({ kind: "schedule-fault", ...fault, ...factsOf(delivery) });
  }
  reportUnsent(context, claim, settled.unsent);
  return settleClaim(context, claim, settled);
}

/** Reports a round that says nothing about the receiver before it is settled, so that the lane sends no further one. */
function reportUnsent(context: UnsentContext, claim: Claim, unsent: SettledRound["unsent"]): void {
  const { id } = claim.delivery;
  if (unsent !== undefined) reportRound(context, claim, { signal: unsent });
  if (unsent !== "local") {
    context.localStreaks.end(id);
    return;
  }
  context.localStreaks.grow(id);
  context.emit({ kind: "local-fault", ...factsOf(claim.delivery) });
}

/** Appends an attempt that ended after its delivery was settled. If it cannot be written, only this attempt is lost. */
async function append(commits: Commits, { delivery }: Claim, one: EndedAttempt): Promise<void> {
  if (judgeReply(one.reply) === "local") return;
  const record = recordAttempt(one, delivery.rounds + 1);
  await commits.write({ append: [{ id: delivery.id, attempt: record }] }).match(nothing, nothing);
}

function nothing(): void {
  // Nothing is left to do after a commit. A fault has been reported by the storage.
}

function emitAttempt(emit: EmitEvent, { delivery }: Claim, one: EndedAttempt, isLate: boolean): void {
  if (judgeReply(one.reply) === "local") return;
  const record = recordAttempt(one, delivery.rounds + 1);
  emit({ kind: "attempted", ...factsOf(delivery), attempt: record, isLate });
}
