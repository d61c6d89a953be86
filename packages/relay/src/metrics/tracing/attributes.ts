// Decides the attributes of spans: those of OpenTelemetry's conventions for messaging and HTTP clients, and `postrider.…` for the rest.
// Ids, codes and numbers only; of an endpoint, neither its query nor its credentials.

import type { AttemptRecord, EndpointId } from "@postrider/core";
import type { Arrival, RelayEvent } from "../../index.js";
import type { SpanAttributes } from "./tracing-api.js";

/** The event of an attempt. */
export type AttemptEvent = Extract<RelayEvent, { readonly kind: "attempted" }>;
/** The events that end a round. */
export type RoundEndEvent = Extract<
  RelayEvent,
  { readonly kind: "delivered" | "rescheduled" | "released" | "died" | "stale" }
>;

/** In each span of a round or an attempt. `createDeliverySampler` knows them by it. */
export const DELIVERY_ID = "postrider.delivery.id";

/** Written for each arrival, recorded or not, since a sampler may ask for them: one plain literal. */
export function sentAttributes({ source, calls }: Pick<Arrival, "source" | "calls">): SpanAttributes {
  return {
    "messaging.system": "postrider",
    "messaging.operation.name": "send",
    "messaging.operation.type": "send",
    "messaging.batch.message_count": calls.length,
    "postrider.source": source,
  };
}

export function roundAttributes(end: RoundEndEvent): SpanAttributes {
  return {
    "messaging.system": "postrider",
    "messaging.operation.name": "process",
    "messaging.operation.type": "process",
    "messaging.destination.name": end.destination,
    "messaging.message.id": end.messageId,
    "postrider.source": end.source,
    [DELIVERY_ID]: end.delivery,
    "postrider.round": end.rounds + 1,
    "postrider.outcome": end.kind,
    ...outcomeAttributes(end),
  };
}

/** True if the round is an error of its span: no receiver took the message. */
export function hasFailed({ kind }: RoundEndEvent): boolean {
  return kind === "rescheduled" || kind === "died";
}

function outcomeAttributes(end: RoundEndEvent): SpanAttributes {
  switch (end.kind) {
    case "delivered":
    case "stale":
      return {};
    case "rescheduled":
      return { "error.type": end.detail, "postrider.due_in_ms": end.dueAt - end.at };
    case "released":
      return { "postrider.due_in_ms": end.dueAt - end.at };
    case "died":
      return { "error.type": end.detail ?? end.reason, "postrider.reason": end.reason };
  }
}

export function attemptAttributes({ delivery, attempt, isLate }: AttemptEvent): SpanAttributes {
  const { round, endpoint, verdict } = attempt;
  return {
    "http.request.method": "POST",
    ...(round > 1 ? { "http.request.resend_count": round - 1 } : {}),
    ...endpointAttributes(endpoint),
    ...resultAttributes(attempt),
    [DELIVERY_ID]: delivery,
    "postrider.verdict": verdict,
    ...(isLate ? { "postrider.late": true } : {}),
  };
}

function resultAttributes({ result, verdict }: AttemptRecord): SpanAttributes {
  if (result.kind === "silent") return { "error.type": result.fault };
  const status = { "http.response.status_code": result.status };
  return verdict === "success" ? status : { ...status, "error.type": String(result.status) };
}

/** Scheme, host, port and path of a URL in its normal form. */
const ENDPOINT = /^(https?):\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d+))?([^?#]*)/;
const PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

function endpointAttributes(endpoint: EndpointId): SpanAttributes {
  const [, scheme = "", host = "", port, path = ""] = ENDPOINT.exec(endpoint) ?? [];
  return {
    "url.full": `${scheme}://${host}${port === undefined ? "" : `:${port}`}${path}`,
    "server.address": host.replace(/[[\]]/g, ""),
    "server.port": port === undefined ? (PORTS[scheme] ?? 0) : Number(port),
  };
}
