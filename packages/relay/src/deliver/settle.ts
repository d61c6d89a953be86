// Writes what became of a claimed delivery. While the lease lives the settlement is tried again; after that the delivery
// is not ours any more: whoever claims it next repeats the round, since an unrecorded one never happened.

import type { Outcome, Settlement } from "@postrider/core";
import type { RelayContext } from "../context.js";
import { SETTLE_RETRY_MS } from "../limits.js";
import type { StoreFault } from "../storage/storage.js";
import { pause } from "../storage/pause.js";
import type { Claim } from "./claim.js";

type Settled = Pick<Settlement, "outcome" | "attempts" | "endpoints">;

/** Settles a claim. Answers whether it took effect. */
export async function settle(context: RelayContext, claim: Claim, settled: Settled): Promise<boolean> {
  for (;;) {
    const { lease } = claim;
    const settlement: Settlement = { id: claim.delivery.id, token: lease.token, ...settled };
    const result = await context.commits.write({ settle: [settlement] });
    const isSettled = result.isOk() && result.value.settled[0] === "settled";
    if (isSettled) return conclude(context, claim, settled.outcome, true);
    // Under another lease by now, it can be settled under that.
    if (result.isOk() && claim.lease === lease) return conclude(context, claim, settled.outcome, false);
    if (result.isErr() && isOver(context, claim, result.error)) return conclude(context, claim, settled.outcome, false);
    if (result.isErr()) await pause(context.clock, SETTLE_RETRY_MS);
  }
}

function isOver({ clock }: RelayContext, { lease }: Claim, { code }: StoreFault): boolean {
  return code === "corrupt" || clock.wall() >= lease.until;
}

/** Settles a claim without a round. */
export function settlePlanned(context: RelayContext, claim: Claim, outcome: Outcome): Promise<boolean> {
  return settle(context, claim, { outcome, attempts: [], endpoints: claim.delivery.endpoints });
}

function conclude(context: RelayContext, { delivery, lease }: Claim, outcome: Outcome, isSettled: boolean): boolean {
  const { lanes, tell } = context;
  const where = { delivery: delivery.id, destination: delivery.lane };
  if (!isSettled) {
    lanes.due(delivery.lane, lease.until);
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
