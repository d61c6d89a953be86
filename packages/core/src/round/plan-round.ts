// Decides whether the round of a claimed delivery starts, and to which endpoints it goes (decision: rounds and verdicts).

import { type EndpointId, type EpochMs, epochMs } from "../ids.js";
import { LEASE_SLACK_MS } from "../limits.js";
import type { Outcome } from "../delivery/delivery.js";
import { lastSlot, windowEnd } from "../retry/schedule.js";
import { spreadDueTime } from "../retry/spread-due-time.js";
import type { DeliveryPolicy } from "../settings/workspace.js";
import { type HoldEnds, isRefusedByAll, type RoundDelivery, type Standings, withoutRefused } from "./round.js";

/** The endpoints that get an attempt in this round, or the end of the delivery without one. */
type RoundPlan =
  | ({ readonly kind: "attempt" } & AttemptedEndpoints)
  /** No round: the delivery is settled at once with this outcome. */
  | { readonly kind: "settle"; readonly outcome: Outcome };

/** The endpoints of a round. */
export interface AttemptedEndpoints {
  readonly endpoints: readonly EndpointId[];
  /** The endpoints whose refusal is for good: they have refused the delivery before, and have taken another message since. */
  readonly confirming: readonly EndpointId[];
}

/** The state of the destination, the claim and the process when a round is planned. */
export interface RoundContext {
  readonly policy: DeliveryPolicy;
  /** The destination's endpoints in force, in settings order. */
  readonly endpoints: readonly EndpointId[];
  readonly holds: HoldEnds;
  readonly standings: Standings;
  /** Endpoints at their bound of open attempts. */
  readonly saturated: ReadonlySet<EndpointId>;
  readonly leaseUntil: EpochMs;
  /** The instant from which the delivery could be claimed. */
  readonly dueAt: EpochMs;
  /** The instant at which this process started claiming, or of the last step of its clock, whichever is later. */
  readonly claimingSince: EpochMs;
  /** From [0, 1): decides how long a long-overdue retry is delayed. */
  readonly draw: number;
}

/**
 * Plans the next round of a claimed delivery. It goes to all endpoints in force, except those that refused this delivery for
 * good, those on hold before the last slot, and those at their bound of open attempts if another of the remaining endpoints
 * is not. Releases the delivery if its lease ends too soon, if it is a long-overdue retry (decision: downtime and clock
 * steps), or if all endpoints are on hold before the last slot. The delivery is dead if its window has ended, or if every
 * endpoint in force has refused it for good. Window and lease are checked again, since time may have passed since the claim.
 */
export function planRound(delivery: RoundDelivery, context: RoundContext, now: EpochMs): RoundPlan {
  const { policy, endpoints, holds } = context;
  const { firstAttemptAt } = delivery;
  if (context.leaseUntil - now < policy.timeoutMs + LEASE_SLACK_MS) return release(now);
  if (firstAttemptAt !== undefined && now > windowEnd(policy, firstAttemptAt))
    return die(isRefusedByAll(delivery, endpoints) ? "refused" : "expired");

  const candidates = withoutRefused(endpoints, delivery.endpoints);
  if (candidates.length === 0) return die("refused");

  const { dueAt, claimingSince } = context;
  const spreadTo = spreadDueTime({ firstAttemptAt, dueAt, claimingSince }, policy, context.draw, now);
  if (spreadTo !== undefined) return release(spreadTo);

  // In the last slot of the window, holds are ignored.
  const lastSlotFrom = firstAttemptAt === undefined ? Infinity : lastSlot(policy, firstAttemptAt).from;
  const availableAt = (endpoint: EndpointId): number => holds.get(endpoint) ?? now;
  const available = now >= lastSlotFrom ? candidates : candidates.filter((endpoint) => availableAt(endpoint) <= now);
  const unsaturated = available.filter((endpoint) => !context.saturated.has(endpoint));
  const attempted = unsaturated.length > 0 ? unsaturated : available;
  if (attempted.length > 0) {
    return { kind: "attempt", endpoints: attempted, confirming: confirmingAt(attempted, delivery, context.standings) };
  }
  return release(Math.min(lastSlotFrom, ...candidates.map(availableAt)));
}

const NONE: readonly EndpointId[] = [];

function confirmingAt(
  endpoints: readonly EndpointId[],
  { endpoints: states }: RoundDelivery,
  standings: Standings,
): readonly EndpointId[] {
  if (states.length === 0) return NONE;
  const confirming = states.filter(({ endpoint, refusedAt }) => {
    const succeededAt = standings.get(endpoint)?.succeededAt;
    return refusedAt !== undefined && succeededAt !== undefined && succeededAt > refusedAt;
  });
  return confirming.map(({ endpoint }) => endpoint).filter((endpoint) => endpoints.includes(endpoint));
}

function release(dueAt: number): RoundPlan {
  return { kind: "settle", outcome: { kind: "released", dueAt: epochMs(dueAt) } };
}

/** The delivery is dead without a round. No `detail`: the store keeps the detail of the last round. */
function die(reason: "expired" | "refused"): RoundPlan {
  return { kind: "settle", outcome: { kind: "dead", reason } };
}
