// Writes a relay event for a reader: the names of the event itself, with instants as ISO 8601, endpoints without
// the values of their queries, and long lists cut. Also every number that bounds the stream of events.

import type { AttemptRecord, DeliveryId } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import type { RelayEvent } from "@postrider/relay";
import { describeReport } from "../audiences/audience-json.js";
import { describeExchange } from "../handle-show-delivery.js";

/** The events that are remembered for readers that are behind; an older one is forgotten. */
export const MAX_RECENT_EVENTS = 2_000;

/** The largest number of readers at the same time; a further one is answered 503. */
export const MAX_EVENT_READERS = 100;

/** The time for which events are remembered for a reader that comes back. Milliseconds since the last reader has left. */
export const EVENTS_KEPT_MS = 60_000;

/** The time for which further events are gathered before readers are woken. Milliseconds. */
export const EVENTS_GATHERED_MS = 50;

/** The silence after which a reader gets a comment, so that proxies keep the connection. Milliseconds. */
export const HEARTBEAT_MS = 15_000;

/** The wait of a browser before it connects again. Milliseconds. */
export const RECONNECT_MS = 2_000;

/** A piece of the stream ends with the frame that makes it as long as this. UTF-16 units. */
export const EVENTS_PIECE_LENGTH = 16_384;

/** The longest event as JSON; a longer one is sent with its kind and time alone. UTF-16 units. */
export const MAX_EVENT_LENGTH = 8_192;

/** The ids and filtered destinations of a call that are listed; the rest is counted. */
const MAX_LISTED_IN_EVENT = 20;

type Measurement = "committed" | "claimed" | "answered";

/** An event that readers get: all but measurements, of which there are several for each call. */
export type StreamedEvent = Exclude<RelayEvent, { readonly kind: Measurement }>;

type AcceptedEvent = Extract<StreamedEvent, { readonly kind: "accepted" }>;

type DeliveryEvent = Extract<StreamedEvent, { readonly delivery: DeliveryId }>;

const STREAMED: Readonly<Record<StreamedEvent["kind"], true>> = {
  accepted: true,
  duplicate: true,
  suppressed: true,
  outdated: true,
  refused: true,
  slip: true,
  shed: true,
  attempted: true,
  delivered: true,
  rescheduled: true,
  released: true,
  died: true,
  replayed: true,
  stale: true,
  "schedule-fault": true,
  "local-fault": true,
  orphaned: true,
  "outbox-waits": true,
  "lane-held": true,
  "lane-blocked": true,
  "lane-open": true,
  "lane-paused": true,
  "lane-resumed": true,
  ended: true,
  "pulled-in": true,
  "deletion-requested": true,
  purged: true,
  "deletion-finished": true,
  synced: true,
  "replay-job-done": true,
  swept: true,
  "store-fault": true,
  "store-ended": true,
  "store-stalled": true,
  "store-answers": true,
  "notification-sent": true,
  "notification-failed": true,
  configured: true,
};

/** The kinds of events that readers get. */
export const EVENT_KINDS = Object.keys(STREAMED) as readonly StreamedEvent["kind"][];

/** True if readers get an event. */
export function isStreamedEvent(event: RelayEvent): event is StreamedEvent {
  return event.kind in STREAMED;
}

/** An event as JSON; one that is too long has only its kind and time, and `cut`. */
export function eventJson(event: StreamedEvent): string {
  const head = { kind: event.kind, at: formatTimestamp(event.at) };
  // The first `head` puts its keys first; the second replaces the instant in the facts by its text.
  const text = JSON.stringify({ ...head, ...factsOf(event), ...head });
  return text.length <= MAX_EVENT_LENGTH ? text : JSON.stringify({ ...head, cut: true });
}

function factsOf(event: StreamedEvent): object {
  if (event.kind === "accepted") return describeAccepted(event);
  if (event.kind === "synced") return { ...event, report: describeReport(event.report) };
  return "delivery" in event ? describeDeliveryEvent(event) : event;
}

function describeAccepted({ source, messageId, deliveries, filtered, warnings }: AcceptedEvent): object {
  return {
    source,
    messageId,
    deliveries: deliveries.slice(0, MAX_LISTED_IN_EVENT),
    deliveryCount: deliveries.length,
    filtered: filtered.slice(0, MAX_LISTED_IN_EVENT),
    filteredCount: filtered.length,
    // Left out if there are none.
    warnings,
  };
}

function describeDeliveryEvent(event: DeliveryEvent): object {
  return {
    ...event,
    acceptedAt: formatTimestamp(event.acceptedAt),
    ...("dueAt" in event ? { dueAt: formatTimestamp(event.dueAt) } : {}),
    ...("attempt" in event ? { attempt: describeAttempt(event.attempt) } : {}),
  };
}

/** An attempt without what its receiver answered. */
function describeAttempt(attempt: AttemptRecord): object {
  return { round: attempt.round, ...describeExchange(attempt), excerpt: undefined };
}
