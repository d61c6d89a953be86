// Asks core for the plan of a round: reads what is known now of the destination, its lane and its endpoints. Decides nothing, except that
// a delivery whose destination takes none now is released.

import { epochMs, type EpochMs, type Outcome } from "@postrider/core";
import { type AttemptedEndpoints, planRound } from "@postrider/core/engine";
import type { DestinationInForce } from "../state/settings-in-force.js";
import { instantOf, leaseEnd } from "../storage/held-lease.js";
import type { Claim } from "./claim.js";
import type { PlanContext } from "./context.js";

/** The plan of core, with the destination that it is for. */
export type Plan = { readonly kind: "settle"; readonly outcome: Outcome } | ({ readonly kind: "send" } & Sending);

export interface Sending extends AttemptedEndpoints {
  readonly inForce: DestinationInForce;
  readonly startedAt: EpochMs;
}

/**
 * Asks core for the plan of the round. Releases the delivery if its destination has been removed, switched off or
 * paused since the claim.
 */
export function planFor(context: PlanContext, { delivery, lease }: Claim): Plan {
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
      standings: context.endpoints.standings(delivery.lane),
      saturated: context.endpoints.saturated(delivery.lane),
      leaseUntil: leaseEnd(lease, now),
      dueAt: delivery.dueAt,
      // Overdue retries of a held lane are not delayed: they are sent as probes, one at a time, and so are no burst.
      claimingSince: context.lanes.isHeld(delivery.lane) ? ALWAYS : context.clock.claimingSince(),
      draw: context.random.unit(),
    },
    now.wall,
  );
  if (plan.kind === "settle") return plan;
  const { endpoints, confirming } = plan;
  return { kind: "send", inForce, endpoints, confirming, startedAt: now.wall };
}

const ALWAYS = epochMs(0);
