// The plan of a round, and its attempts: core says whether and to which endpoints a round sends; an attempt is one POST to one
// endpoint. Its request follows the settings, and its reply changes the hold of the endpoint and its standing. The requests of a
// delivery can be shown, too: without the values of static headers, which often are secrets.

import {
  type Clock,
  type DestinationId,
  type EndpointId,
  type EpochMs,
  judgeReply,
  type Random,
  type Reply,
  type Body,
  type HttpRequest,
  type DeliveryRecord,
  epochMs,
  type Outcome,
} from "@postrider/core";
import {
  type EndedAttempt,
  holdUntil,
  webhookId,
  buildRequest,
  type AttemptedEndpoints,
  planRound,
} from "@postrider/core/engine";
import type { Claim, HeldDelivery } from "./claim.js";
import type { Endpoints } from "../lanes/endpoints.js";
import type { SettingsInForce, DestinationInForce } from "../settings-in-force.js";
import type { Lanes } from "../lanes/lanes.js";
import type { WatchedClock } from "../fleet/clock.js";
import { instantOf, leaseEnd } from "../commits/lease.js";

/** Needed to send one POST to one endpoint. */
export interface AttemptContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: SettingsInForce;
  readonly endpoints: Endpoints;
}

/** Needed to plan a round: whether it starts, and to which endpoints it goes. */
export interface PlanContext extends AttemptContext {
  readonly clock: WatchedClock;
  readonly lanes: Lanes;
}

const ALWAYS = epochMs(0);

/** The plan of core, with the destination that it is for. */
export type Plan = { readonly kind: "settle"; readonly outcome: Outcome } | ({ readonly kind: "send" } & SendPlan);

export interface SendPlan extends AttemptedEndpoints {
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
  const instant = instantOf(context.clock);
  const plan = planRound(
    delivery,
    {
      policy: context.settings.workspace().delivery,
      endpoints: inForce.endpoints,
      holds: context.endpoints.holds(delivery.lane),
      standings: context.endpoints.standings(delivery.lane),
      saturated: context.endpoints.saturated(delivery.lane),
      leaseUntil: leaseEnd(lease, instant),
      dueAt: delivery.dueAt,
      // Overdue retries of a held lane are not delayed: they are sent as probes, one at a time, and so are no burst.
      claimingSince: context.lanes.isHeld(delivery.lane) ? ALWAYS : context.clock.claimingSince(),
      draw: context.random.unit(),
    },
    instant.wall,
  );
  if (plan.kind === "settle") return plan;
  const { endpoints, confirming } = plan;
  return { kind: "send", inForce, endpoints, confirming, startedAt: instant.wall };
}

export interface AttemptTarget {
  readonly inForce: DestinationInForce;
  readonly endpoint: EndpointId;
}

interface AttemptContent {
  readonly body: Body;
  /** The id of a Standard Webhook; asked for only if the destination has its headers. */
  readonly webhookId: () => string;
  /** The instant at which the attempt starts. */
  readonly at: EpochMs;
}

/** Sends a delivery's body to an endpoint of a destination in force, at the instant `startedAt`. Calls `onEnded` once. */
export function runAttempt(
  context: AttemptContext,
  delivery: HeldDelivery,
  target: AttemptTarget & { readonly startedAt: EpochMs },
  onEnded: (ended: EndedAttempt) => void,
): void {
  const { endpoint, startedAt } = target;
  const destination = target.inForce.destination.id;
  const request = requestOfAttempt(context.settings, target, {
    body: delivery.body,
    webhookId: () => webhookId(delivery.source, delivery.messageId),
    at: startedAt,
  });
  context.endpoints.send(request, { destination, endpoint }, (reply) => {
    recordHold(context, destination, endpoint, reply);
    const { messageId, rounds } = delivery;
    context.endpoints.replied(destination, endpoint, { messageId, isFirst: rounds === 0, reply });
    onEnded({ endpoint, startedAt, reply });
  });
}

/** Records the hold that a receiver asked for by `Retry-After`, if the verdict of its answer is `retry`. */
function recordHold(
  { clock, endpoints, random, settings }: AttemptContext,
  destination: DestinationId,
  endpoint: EndpointId,
  reply: Reply,
): void {
  if (reply.kind !== "answered" || judgeReply(reply) !== "retry") return;
  if (reply.retryAfter === undefined) return;
  const until = holdUntil(reply.retryAfter, settings.workspace().delivery, random.unit(), clock.wall());
  if (until !== undefined) endpoints.hold(destination, endpoint, until);
}

/** The request of one attempt. */
export function requestOfAttempt(
  settings: Pick<SettingsInForce, "workspace">,
  { inForce: { destination, headers }, endpoint }: AttemptTarget,
  { body, webhookId, at }: AttemptContent,
): HttpRequest {
  const isStandard = destination.standardWebhooks === true;
  return buildRequest(body, {
    endpoint,
    headers: headers.get(endpoint) ?? [],
    secrets: destination.secrets,
    timeoutMs: settings.workspace().delivery.timeoutMs,
    ...(isStandard ? { standardWebhook: { id: webhookId(), at } } : {}),
  });
}

/** The requests of a delivery, one for each endpoint, or why there is none. The value of a static header is `***`. */
export type ShownRequests =
  | { readonly kind: "shown"; readonly requests: readonly HttpRequest[] }
  | { readonly kind: "purged" | "destination-removed" };

interface ShownRequestsContext {
  readonly settings: Pick<SettingsInForce, "destination" | "workspace">;
  readonly clock: Pick<Clock, "wall">;
}

/** The requests as they would be sent at this time, whether or not the delivery waits. */
export function showRequests({ settings, clock }: ShownRequestsContext, record: DeliveryRecord): ShownRequests {
  const destination = settings.destination(record.destination);
  if (destination === undefined) return { kind: "destination-removed" };
  if (record.body === undefined) return { kind: "purged" };
  const inForce = withoutValues(destination);
  const content = {
    // Safe cast: a record has the body that was stored.
    body: record.body as Body,
    webhookId: () => webhookId(record.source, record.messageId),
    at: clock.wall(),
  };
  const show = (endpoint: EndpointId): HttpRequest => requestOfAttempt(settings, { inForce, endpoint }, content);
  return { kind: "shown", requests: inForce.endpoints.map(show) };
}

function withoutValues({ headers, ...inForce }: DestinationInForce): DestinationInForce {
  const hidden = [...headers].map(
    ([endpoint, endpointHeaders]) => [endpoint, endpointHeaders.map(([name]) => [name, "***"] as const)] as const,
  );
  return { ...inForce, headers: new Map(hidden) };
}
