// Runs one round of a claimed delivery: asks core whether and where to send, sends in parallel, settles at the first success
// or at the last reply. Attempts that are still open then run on; each is appended when it ends.

import { type EndpointId, epochMs, judgeReply } from "@postrider/core";
import {
  type EndedAttempt,
  type RoundPlan,
  planRound,
  recordAttempt,
  type RoundEnd,
  settleRound,
} from "@postrider/core/engine";
import { runAttempt } from "./attempt.js";
import type { RelayContext } from "../context.js";
import { instantOf, leaseEnd } from "../storage/held-lease.js";
import type { Claim } from "./claim.js";
import { settleClaim, settlePlanned, reportRound } from "./settle.js";
import type { DestinationInForce } from "../state/settings-in-force.js";

export interface RoundRun {
  readonly claim: Claim;
  /** Called once, when the delivery is settled; late attempts may still be open. */
  readonly onSettled: () => void;
}

/** Runs a round to its end, late attempts included. */
export async function runRound(context: RelayContext, run: RoundRun): Promise<void> {
  const { delivery } = run.claim;
  const inForce = context.settings.destination(delivery.lane);
  const plan = inForce === undefined ? undefined : planFor(context, run.claim, inForce);
  if (inForce === undefined || plan === undefined || plan.kind === "settle") {
    const now = context.clock.wall();
    await settlePlanned(context, run.claim, plan?.kind === "settle" ? plan.outcome : { kind: "released", dueAt: now });
    run.onSettled();
    return;
  }
  await sendRound(context, run, inForce, plan.endpoints);
}

/** Undefined if the destination has been switched off or paused since the claim. */
function planFor(
  context: RelayContext,
  { delivery, lease }: Claim,
  inForce: DestinationInForce,
): RoundPlan | undefined {
  if (!context.settings.isOpen(delivery.lane)) return undefined;
  const now = instantOf(context.clock);
  return planRound(
    delivery,
    {
      policy: context.settings.workspace().delivery,
      endpoints: inForce.endpoints,
      holds: context.endpoints.holds(delivery.lane),
      saturated: context.endpoints.saturated(delivery.lane),
      leaseUntil: leaseEnd(lease, now),
      dueAt: delivery.dueAt,
      // Probes are sent one at a time: they are no burst, even after the process was down for long.
      claimingSince: context.lanes.isHeld(delivery.lane) ? ALWAYS : context.clockWatch.claimingSince(),
      draw: context.random.unit(),
    },
    now.wall,
  );
}

const ALWAYS = epochMs(0);

async function sendRound(
  context: RelayContext,
  run: RoundRun,
  inForce: DestinationInForce,
  endpoints: readonly EndpointId[],
): Promise<void> {
  const ended: EndedAttempt[] = [];
  let settling: Promise<boolean> | undefined;

  async function onEnded(one: EndedAttempt): Promise<void> {
    const isLate = settling !== undefined;
    emitAttempt(context, run.claim, one, isLate);
    if (settling !== undefined) {
      if (await settling) await append(context, run.claim, one);
      return;
    }
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
  context: RelayContext,
  { claim }: RoundRun,
  { inForce, ended }: Pick<RoundEnd, "inForce" | "ended">,
): Promise<boolean> {
  const { delivery } = claim;
  const now = context.clock.wall();
  const settled = settleRound(
    {
      inForce,
      ended,
      delivery,
      policy: context.settings.workspace().delivery,
      holds: context.endpoints.holds(delivery.lane),
      localStreak: context.localStreaks.of(delivery.id),
    },
    { delay: context.random.unit(), slot: context.random.unit() },
    now,
  );
  if (settled.outcome.kind === "released") {
    context.localStreaks.grow(delivery.id);
    reportRound(context, claim, "local");
    context.emit({ kind: "local-fault", delivery: delivery.id, destination: delivery.lane });
  } else {
    context.localStreaks.end(delivery.id);
  }
  return settleClaim(context, claim, settled);
}

/** Appends an attempt that ended after its delivery was settled. If it cannot be written, only this attempt is lost. */
async function append(context: RelayContext, { delivery }: Claim, one: EndedAttempt): Promise<void> {
  if (judgeReply(one.reply) === "local") return;
  const record = recordAttempt(one, delivery.rounds + 1);
  await context.commits.write({ append: [{ id: delivery.id, attempt: record }] }).match(nothing, nothing);
}

function nothing(): void {
  // The storage has reported the fault.
}

function emitAttempt({ emit }: RelayContext, { delivery }: Claim, one: EndedAttempt, isLate: boolean): void {
  if (judgeReply(one.reply) === "local") return;
  const record = recordAttempt(one, delivery.rounds + 1);
  emit({ kind: "attempted", delivery: delivery.id, destination: delivery.lane, attempt: record, isLate });
}
