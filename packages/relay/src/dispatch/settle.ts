// Writes the settlement of a claimed delivery. It is tried again while the lease is in force; after that the claim has
// ended, and the next claim repeats the round, since an unrecorded round does not count.

import { type Detail, type Outcome, plusMs } from "@postrider/core";
import { defined, type SettledRound, settleWithoutRound } from "@postrider/core/engine";
import { SETTLE_RETRY_MS } from "../limits.js";
import { finishEntry, type LaneRound } from "../lanes/lane.js";
import type { StoreClock } from "../fleet/clock.js";
import { type HeldLease, type Instant, instantOf, leaseEnd } from "../commits/lease.js";
import type { StoreFault } from "../fault.js";
import { type Claim, factsOf } from "./claim.js";
import type { EmitEvent } from "../relay-event.js";
import type { Lanes } from "../lanes/lanes.js";
import type { Commits } from "../commits/commits.js";

/** Needed to report the end of a round to its lane and to the observer of the host. */
export interface ReportContext {
  readonly lanes: Lanes;
  readonly emit: EmitEvent;
}

/** Needed to settle a claim. */
export interface SettleContext extends ReportContext {
  readonly clock: StoreClock;
  readonly commits: Commits;
}

/** Settles a claim. Calls `onEnd` once, with whether the settlement took effect. */
export function settleClaim(
  context: SettleContext,
  claim: Claim,
  round: Pick<SettledRound, "outcome" | "attempts" | "endpoints">,
  onEnd: (tookEffect: boolean) => void,
): void {
  const { outcome, attempts, endpoints } = round;
  const { lease } = claim;
  const decidedAt = "dueAt" in outcome ? instantOf(context.clock) : undefined;
  const settle = (): void => settleClaim(context, claim, round, onEnd);
  context.commits.settle({ id: claim.delivery.id, token: lease.token, outcome, attempts, endpoints }, (result) => {
    if (result.isErr()) {
      if (isOver(context, claim, result.error)) onEnd(giveUp(context, claim));
      else context.clock.after(SETTLE_RETRY_MS, settle);
    } else if (result.value === "stale") {
      // If this process has claimed the delivery again, it can be settled under the new lease.
      context.lanes.afterClaims(() => {
        if (claim.lease === lease) onEnd(giveUp(context, claim));
        else settleClaim(context, claim, { ...round, outcome: afterSteps(outcome, decidedAt, context.clock) }, onEnd);
      });
    } else {
      onEnd(conclude(context, claim, result.value === "purged" ? purgedInstead(outcome) : outcome));
    }
  });
}

/**
 * The outcome with its due time as the clock shows it now. The clock may have been set back long ago, and what was stored before is
 * brought forward already.
 */
function afterSteps(outcome: Outcome, decidedAt: Instant | undefined, clock: StoreClock): Outcome {
  if (!("dueAt" in outcome) || decidedAt === undefined) return outcome;
  const { wall, monotonic } = instantOf(clock);
  const steppedMs = Math.round(wall - monotonic - (decidedAt.wall - decidedAt.monotonic));
  return { ...outcome, dueAt: plusMs(outcome.dueAt, steppedMs) };
}

/** The outcome if a deletion has purged the delivery meanwhile. */
function purgedInstead(outcome: Outcome): Outcome {
  return { kind: "dead", reason: "purged", ...defined({ detail: detailOf(outcome) }) };
}

type RetryContext = Pick<SettleContext, "clock" | "commits">;

/** True if the settlement is not tried again. */
function isOver({ clock, commits }: RetryContext, { lease }: Claim, { code }: StoreFault): boolean {
  return code === "corrupt" || commits.hasEnded() || hasLeaseEnded(lease, clock);
}

function hasLeaseEnded(lease: HeldLease, clock: StoreClock): boolean {
  const instant = instantOf(clock);
  return instant.wall >= leaseEnd(lease, instant);
}

/** Settles a claim without a round. */
export function settlePlanned(
  context: SettleContext,
  claim: Claim,
  outcome: Outcome,
  onEnd: (tookEffect: boolean) => void,
): void {
  settleClaim(context, claim, settleWithoutRound(claim.delivery, outcome), (tookEffect) => {
    // Only now: after a probe that says nothing of the receiver, the next one may be claimed at once.
    reportRound(context, claim, { signal: "none", detail: detailOf(outcome) });
    onEnd(tookEffect);
  });
}

/** The end of a round, as its lane sees it. */
export function endOf({ outcome, signal }: SettledRound): ReportedRound {
  return signal === "local" || signal === "blocked" ? { signal } : { signal, detail: detailOf(outcome) };
}

/** The result of a round, as far as it shows the state of its receiver. */
export type ReportedRound = Pick<LaneRound, "signal" | "detail">;

/** Reports to its lane a round that has its last reply, while its slot is still taken. */
export function reportRound({ lanes, emit }: ReportContext, { delivery }: Claim, round: ReportedRound): void {
  const { lane, id, rounds } = delivery;
  const { signal, detail } = round;
  const change = lanes.roundEnded(lane, { signal, detail, delivery: id, isFirst: rounds === 0 });
  if (change !== undefined) emit({ kind: `lane-${change}`, destination: lane });
}

/**
 * Reports a settlement without effect: another process has claimed the delivery, or may do so when the lease has ended.
 * Returns false for `onEnd`.
 */
function giveUp({ clock, lanes, emit }: Omit<SettleContext, "commits">, { delivery, lease }: Claim): false {
  lanes.due(delivery.lane, leaseEnd(lease, instantOf(clock)));
  emit({ kind: "stale", ...factsOf(delivery) });
  return false;
}

function detailOf(outcome: Outcome): Detail | undefined {
  return outcome.kind === "released" ? undefined : outcome.detail;
}

/** Reports a settlement that took effect. Returns true for `onEnd`. */
function conclude({ lanes, emit }: ReportContext, claim: Claim, outcome: Outcome): true {
  const { lane } = claim.delivery;
  switch (outcome.kind) {
    case "delivered":
      finishEntry(claim.entry);
      emit({ kind: "delivered", ...factsOf(claim.delivery), detail: outcome.detail });
      return true;
    case "dead":
      finishEntry(claim.entry);
      emit({ kind: "died", ...factsOf(claim.delivery), reason: outcome.reason, detail: outcome.detail ?? null });
      return true;
    case "rescheduled":
      lanes.due(lane, outcome.dueAt);
      emit({ kind: "rescheduled", ...factsOf(claim.delivery), dueAt: outcome.dueAt, detail: outcome.detail });
      return true;
    case "released":
      lanes.due(lane, outcome.dueAt);
      emit({ kind: "released", ...factsOf(claim.delivery), dueAt: outcome.dueAt });
      return true;
  }
}
