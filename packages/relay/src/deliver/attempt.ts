// One POST to one endpoint, and what is learnt from its reply.

import {
  buildRequest,
  type ClaimedDelivery,
  type EndedAttempt,
  type EndpointId,
  type HttpRequest,
  judgeReply,
  readRetryAfter,
  type Reply,
  webhookId,
} from "@postrider/core";
import type { RelayContext } from "../context.js";
import type { DestinationInForce } from "../books/settings-in-force.js";

export interface Addressee {
  readonly inForce: DestinationInForce;
  readonly endpoint: EndpointId;
}

/** Sends a delivery's body to an endpoint of a destination in force. Never rejects. */
export async function attempt(
  context: RelayContext,
  delivery: ClaimedDelivery,
  { inForce, endpoint }: Addressee,
): Promise<EndedAttempt> {
  const { destination, headers } = inForce;
  const startedAt = context.clock.wall();
  const standardWebhook = { id: webhookId(delivery.source, delivery.messageId), at: startedAt };
  const request = buildRequest(delivery.body, {
    endpoint,
    headers: headers.get(endpoint) ?? [],
    secrets: destination.secrets,
    timeoutMs: context.settings.workspace().delivery.timeoutMs,
    ...(destination.standardWebhooks === true ? { standardWebhook } : {}),
  });
  context.endpoints.opened(destination.id, endpoint);
  const reply = await send(context, request);
  context.endpoints.closed(destination.id, endpoint);
  heed(context, destination.id, endpoint, reply);
  return { endpoint, startedAt, reply };
}

/** The port promises never to reject; one that does is a fault of our own side, not of the receiver. */
async function send({ http, clock }: RelayContext, request: HttpRequest): Promise<Reply> {
  const began = clock.monotonic();
  try {
    return await http.send(request);
  } catch {
    return { kind: "silent", fault: "local", afterMs: clock.monotonic() - began };
  }
}

/** A receiver that failed and asks to be left alone is, on any retryable status. */
function heed(
  { clock, endpoints, settings }: RelayContext,
  destination: DestinationInForce["destination"]["id"],
  endpoint: EndpointId,
  reply: Reply,
): void {
  if (reply.kind !== "answered" || judgeReply(reply) !== "retry") return;
  const { retryWindowMs } = settings.workspace().delivery;
  const until = readRetryAfter(reply.retryAfter, retryWindowMs, clock.wall());
  if (until !== undefined) endpoints.hold(destination, endpoint, until);
}
