// One POST to one endpoint, and what its reply changes: the hold of the endpoint.

import { type DestinationId, type EndpointId, type EpochMs, judgeReply, type Reply } from "@postrider/core";
import { buildRequest, type EndedAttempt, holdUntil, type StandardWebhook, webhookId } from "@postrider/core/engine";
import type { HeldDelivery } from "./claim.js";
import type { AttemptContext } from "./context.js";
import type { DestinationInForce } from "../state/settings-in-force.js";

export interface AttemptTarget {
  readonly inForce: DestinationInForce;
  readonly endpoint: EndpointId;
}

/** Sends a delivery's body to an endpoint of a destination in force. Never rejects. */
export async function runAttempt(
  context: AttemptContext,
  delivery: HeldDelivery,
  { inForce, endpoint }: AttemptTarget,
): Promise<EndedAttempt> {
  const { destination, headers } = inForce;
  const isStandard = destination.standardWebhooks === true;
  const startedAt = context.clock.wall();
  const request = buildRequest(delivery.body, {
    endpoint,
    headers: headers.get(endpoint) ?? [],
    secrets: destination.secrets,
    timeoutMs: context.settings.workspace().delivery.timeoutMs,
    ...(isStandard ? { standardWebhook: standardWebhookOf(delivery, startedAt) } : {}),
  });
  const reply = await context.endpoints.send(destination.id, endpoint, request);
  recordHold(context, destination.id, endpoint, reply);
  return { endpoint, startedAt, reply };
}

function standardWebhookOf({ source, messageId }: HeldDelivery, at: EpochMs): StandardWebhook {
  return { id: webhookId(source, messageId), at };
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
