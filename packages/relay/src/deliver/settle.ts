// Writes what became of a claimed delivery. While the lease lives the settlement is tried again; after that the delivery
// is not ours any more: whoever claims it next repeats the round, since an unrecorded one never happened.

import type { ClaimedDelivery, LeaseToken, Outcome, Settlement } from "@postrider/core";
import { commit } from "../storage/commit.js";
import type { RelayContext } from "../context.js";
import { SETTLE_RETRY_MS } from "../limits.js";
import { pause } from "../storage/pause.js";

/** A claimed delivery, with the token that proves the claim. */
export interface Claim {
  readonly delivery: ClaimedDelivery;
  readonly token: LeaseToken;
}

type Settled = Pick<Settlement, "outcome" | "attempts" | "endpoints">;

/** Settles a claim. Answers whether it took effect. */
export async function settle(context: RelayContext, claim: Claim, settled: Settled): Promise<boolean> {
  const settlement: Settlement = { id: claim.delivery.id, token: claim.token, ...settled };
  for (;;) {
    const result = await commit(context, { settle: [settlement] });
    if (result.isOk()) return conclude(context, claim, settled.outcome, result.value.settled[0] === "settled");
    const isOver = result.error.code === "corrupt" || context.clock.wall() >= claim.delivery.leaseUntil;
    if (isOver) return conclude(context, claim, settled.outcome, false);
    await pause(context.clock, SETTLE_RETRY_MS);
  }
}

/** Settles a claim without a round. */
export function settlePlanned(context: RelayContext, claim: Claim, outcome: Outcome): Promise<boolean> {
  return settle(context, claim, { outcome, attempts: [], endpoints: claim.delivery.endpoints });
}

function conclude(context: RelayContext, { delivery }: Claim, outcome: Outcome, isSettled: boolean): boolean {
  const { lanes, tell } = context;
  const where = { delivery: delivery.id, destination: delivery.lane };
  if (!isSettled) {
    lanes.due(delivery.lane, delivery.leaseUntil);
    tell({ kind: "stale", ...where });
    return false;
  }
  switch (outcome.kind) {
    case "delivered":
      lanes.shrink(delivery.lane, delivery.body.length);
      tell({ kind: "delivered", detail: outcome.detail, ...where });
      return true;
    case "dead":
      lanes.shrink(delivery.lane, delivery.body.length);
      tell({ kind: "died", reason: outcome.reason, detail: outcome.detail ?? null, ...where });
      return true;
    case "rescheduled":
      lanes.due(delivery.lane, outcome.dueAt);
      tell({ kind: "rescheduled", dueAt: outcome.dueAt, detail: outcome.detail, ...where });
      return true;
    case "released":
      lanes.due(delivery.lane, outcome.dueAt);
      tell({ kind: "released", dueAt: outcome.dueAt, ...where });
      return true;
  }
}
