// One POST to one endpoint, and what its reply changes: the hold of the endpoint, and its standing.

import { type DestinationId, type EndpointId, type EpochMs, judgeReply, type Reply } from "@postrider/core";
import { type EndedAttempt, holdUntil, webhookId } from "@postrider/core/engine";
import type { HeldDelivery } from "./claim.js";
import type { AttemptContext } from "./context.js";
import { type AttemptTarget, requestOfAttempt } from "./request-of-attempt.js";

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
