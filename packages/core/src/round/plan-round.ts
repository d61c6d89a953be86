// Decides, when a delivery's turn has come, whether a round starts and which endpoints it goes to (decision: rounds and
// verdicts): all in force, except those that refused this delivery for good, those that asked to be left alone, and
// those with too many attempts open while a sibling has room.
// The window and the lease are looked at here once more: time may have passed since the claim. What an outage of our own
// has piled up is spread (decision: outages of our own).

import type { EndpointId, EpochMs } from "../ids.js";
import { LEASE_SLACK_MS } from "../limits.js";
import type { DeadReason, EndpointState } from "../delivery/delivery.js";
import type { Outcome } from "../delivery/settlement.js";
import { lastSlot, windowEnd } from "../retry/schedule.js";
import { spreadOverdue } from "../retry/spread-overdue.js";
import type { DeliveryPolicy } from "../settings/workspace.js";
import type { Holds, RoundDelivery } from "./round.js";

export type Plan =
  | { readonly kind: "attempt"; readonly endpoints: readonly EndpointId[] }
  /** No round; the delivery is settled like this at once. */
  | { readonly kind: "settle"; readonly outcome: Outcome };

export interface RoundContext {
  readonly policy: DeliveryPolicy;
  /** The destination's endpoints in force, in settings order. */
  readonly endpoints: readonly EndpointId[];
  readonly holds: Holds;
  /** Endpoints at their bound of open attempts. */
  readonly saturated: ReadonlySet<EndpointId>;
  readonly leaseUntil: EpochMs;
  /** Since when the delivery could be claimed. */
  readonly dueAt: EpochMs;
  /** Since when somebody has been looking for what is due, by a clock that has not stepped. */
  readonly awakeSince: EpochMs;
  /** From [0, 1): where a retry that is long overdue goes. */
  readonly draw: number;
}

/** Plans the next round of a claimed delivery. */
export function planRound(delivery: RoundDelivery, context: RoundContext, now: EpochMs): Plan {
  const { policy, endpoints, holds } = context;
  const { firstAttemptAt } = delivery;
  if (context.leaseUntil - now < policy.timeoutMs + LEASE_SLACK_MS) return release(now);
  if (firstAttemptAt !== undefined && now > windowEnd(policy, firstAttemptAt)) return die("expired");

  const open = withoutRefused(endpoints, delivery.endpoints);
  if (open.length === 0) return die("refused");

  const { dueAt, awakeSince } = context;
  const spreadTo = spreadOverdue({ firstAttemptAt, dueAt, awakeSince }, policy, context.draw, now);
  if (spreadTo !== undefined) return release(spreadTo);

  // In the last slot of the window nobody is waited for any more.
  const lastFrom = firstAttemptAt === undefined ? Infinity : lastSlot(policy, firstAttemptAt).from;
  const freeAt = (endpoint: EndpointId): number => holds.get(endpoint) ?? now;
  const free = now >= lastFrom ? open : open.filter((endpoint) => freeAt(endpoint) <= now);
  const roomy = free.filter((endpoint) => !context.saturated.has(endpoint));
  if (roomy.length > 0) return { kind: "attempt", endpoints: roomy };
  if (free.length > 0) return { kind: "attempt", endpoints: free };
  return release(Math.min(lastFrom, ...open.map(freeAt)));
}

function withoutRefused(endpoints: readonly EndpointId[], known: readonly EndpointState[]): readonly EndpointId[] {
  if (known.length === 0) return endpoints;
  const refused = new Set(known.filter((state) => state.refused).map((state) => state.endpoint));
  return endpoints.filter((endpoint) => !refused.has(endpoint));
}

function release(dueAt: number): Plan {
  return { kind: "settle", outcome: { kind: "released", dueAt: dueAt as EpochMs } };
}

/** Without a detail of its own: what the last attempt said stays. */
function die(reason: DeadReason): Plan {
  return { kind: "settle", outcome: { kind: "dead", reason } };
}
