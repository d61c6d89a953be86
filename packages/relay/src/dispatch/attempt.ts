// One POST to one endpoint, and what its reply changes: the hold of the endpoint.

import {
  type EndpointId,
  type EpochMs,
  type HttpPort,
  type HttpRequest,
  judgeReply,
  type Reply,
} from "@postrider/core";
import { buildRequest, type EndedAttempt, holdUntil, type StandardWebhook, webhookId } from "@postrider/core/engine";
import type { RelayContext } from "../context.js";
import { SEND_SLACK_MS } from "../limits.js";
import type { HeldDelivery } from "./claim.js";
import type { DestinationInForce } from "../state/settings-in-force.js";

export interface Addressee {
  readonly inForce: DestinationInForce;
  readonly endpoint: EndpointId;
}

/** Sends a delivery's body to an endpoint of a destination in force. Never rejects. */
export async function runAttempt(
  context: RelayContext,
  delivery: HeldDelivery,
  { inForce, endpoint }: Addressee,
): Promise<EndedAttempt> {
  const { destination, headers } = inForce;
  const startedAt = context.clock.wall();
  const request = buildRequest(delivery.body, {
    endpoint,
    headers: headers.get(endpoint) ?? [],
    secrets: destination.secrets,
    timeoutMs: context.settings.workspace().delivery.timeoutMs,
    ...(destination.standardWebhooks === true ? { standardWebhook: standardWebhookOf(delivery, startedAt) } : {}),
  });
  context.endpoints.opened(destination.id, endpoint);
  const reply = await send(context, request);
  context.endpoints.closed(destination.id, endpoint);
  heed(context, destination.id, endpoint, reply);
  return { endpoint, startedAt, reply };
}

function standardWebhookOf({ source, messageId }: HeldDelivery, at: EpochMs): StandardWebhook {
  return { id: webhookId(source, messageId), at };
}

/** The port must answer in time and must not reject; if it does not comply, that is a local fault. */
function send({ http, clock }: RelayContext, request: HttpRequest): Promise<Reply> {
  const began = clock.monotonic();
  return new Promise((resolve) => {
    const cancel = clock.after(request.timeoutMs + SEND_SLACK_MS, fail);
    ask(http, request).then(end, fail);

    function end(reply: Reply): void {
      cancel();
      resolve(reply);
    }

    function fail(): void {
      end({ kind: "silent", fault: "local", afterMs: clock.monotonic() - began });
    }
  });
}

/** Turns an exception of the port into a rejection. */
function ask(http: HttpPort, request: HttpRequest): Promise<Reply> {
  try {
    return http.send(request);
  } catch {
    return Promise.reject(new Error("the port threw"));
  }
}

/** A receiver that failed and asks for a hold gets it, on any retryable status. */
function heed(
  { clock, endpoints, random, settings }: RelayContext,
  destination: DestinationInForce["destination"]["id"],
  endpoint: EndpointId,
  reply: Reply,
): void {
  if (reply.kind !== "answered" || judgeReply(reply) !== "retry") return;
  if (reply.retryAfter === undefined) return;
  const until = holdUntil(reply.retryAfter, settings.workspace().delivery, random.unit(), clock.wall());
  if (until !== undefined) endpoints.hold(destination, endpoint, until);
}
