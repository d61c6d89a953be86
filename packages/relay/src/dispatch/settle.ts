// Writes the settlement of a claimed delivery. It is tried again while the lease is in force; after that the claim has
// ended, and the next claim repeats the round, since an unrecorded round does not count.

import type { Detail, Outcome, Settlement } from "@postrider/core";
import { defined, pauseFor, type SettledRound, settleWithoutRound, signalOf } from "@postrider/core/engine";
import { SETTLE_RETRY_MS } from "../limits.js";
import { finishEntry } from "../state/lane-entry.js";
import type { LaneRound } from "../state/lanes.js";
import type { StoreClock } from "../state/store-clock.js";
import { type HeldLease, instantOf, leaseEnd } from "../storage/held-lease.js";
import type { StoreFault } from "../storage/store-fault.js";
import type { Claim } from "./claim.js";
import type { ReportContext, SettleContext } from "./context.js";
import { factsOf } from "./delivery-facts.js";

/** Settles a claim. Returns whether the settlement took effect. */
export async function settleClaim(context: SettleContext, claim: Claim, round: SettledRound): Promise<boolean> {
  const { outcome, attempts, endpoints, unsent } = round;
  for (;;) {
    const { lease } = claim;
    const settlement: Settlement = { id: claim.delivery.id, token: lease.token, outcome, attempts, endpoints };
    const written = await context.commits.write({ settle: [settlement] });
    const settled = written.isOk() ? (written.value.settled[0] ?? "stale") : undefined;
    if (settled === "settled") return conclude(context, claim, { outcome, unsent });
    if (settled === "purged") return conclude(context, claim, { outcome: purgedInstead(outcome), unsent });
    // If the delivery has another lease by now, it can be settled under that lease.
    if (settled === "stale" && claim.lease === lease) return giveUp(context, claim);
    if (written.isErr() && isOver(context, claim, written.error)) return giveUp(context, claim);
    if (written.isErr()) await pauseFor(context.clock, SETTLE_RETRY_MS);
  }
}

/** The outcome if a deletion has purged the delivery meanwhile. */
function purgedInstead(outcome: Outcome): Outcome {
  return { kind: "dead", reason: "purged", ...defined({ detail: detailOf(outcome) }) };
}

type Ending = Pick<SettleContext, "clock" | "commits">;

function isOver({ clock, commits }: Ending, { lease }: Claim, { code }: StoreFault): boolean {
  return code === "corrupt" || commits.hasEnded() || hasEnded(lease, clock);
}

function hasEnded(lease: HeldLease, clock: StoreClock): boolean {
  const now = instantOf(clock);
  return now.wall >= leaseEnd(lease, now);
}

/** Settles a claim without a round. */
export function settlePlanned(context: SettleContext, claim: Claim, outcome: Outcome): Promise<boolean> {
  return settleClaim(context, claim, settleWithoutRound(claim.delivery, outcome));
}

/** What the end of a round shows of its receiver. */
export type ReportedRound = Pick<LaneRound, "signal" | "detail">;

/** Reports an ended round to its lane. */
export function reportRound({ lanes, emit }: ReportContext, { delivery }: Claim, ended: ReportedRound): void {
  const { lane, id, rounds } = delivery;
  const change = lanes.roundEnded(lane, { ...ended, delivery: id, isFirst: rounds === 0 });
  if (change !== undefined) emit({ kind: `lane-${change}`, destination: lane });
}

/**
 * Reports a settlement without effect: another process has claimed the delivery, or may do so when the lease has ended.
 */
function giveUp({ clock, lanes, emit }: Omit<SettleContext, "commits">, { delivery, lease }: Claim): false {
  lanes.due(delivery.lane, leaseEnd(lease, instantOf(clock)));
  emit({ kind: "stale", ...factsOf(delivery) });
  return false;
}

function detailOf(outcome: Outcome): Detail | undefined {
  return outcome.kind === "released" ? undefined : outcome.detail;
}

interface Conclusion {
  readonly outcome: Outcome;
  readonly unsent: SettledRound["unsent"] | undefined;
}

function conclude(context: ReportContext, claim: Claim, { outcome, unsent }: Conclusion): true {
  const { lanes, emit } = context;
  const { lane } = claim.delivery;
  // A round that says nothing about the receiver was reported before it was settled.
  if (unsent === undefined) reportRound(context, claim, { signal: signalOf(outcome), detail: detailOf(outcome) });
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
