// How an event of the relay is told to a reader: the names of the event itself, with instants as ISO 8601, endpoints without the
// values of their queries, and long lists cut. Knows no stream.

import type { AttemptRecord, DeliveryId } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import type { RelayEvent } from "@postrider/relay";
import { describeReport } from "../audiences/describe-audience.js";
import { describeExchange } from "../handle-show-delivery.js";
import { MAX_EVENT_LENGTH, MAX_LISTED_IN_EVENT } from "./limits.js";

type Measured = "committed" | "claimed" | "answered";

/** An event that readers are told of: all but measurements, of which there are several for each call. */
export type ToldEvent = Exclude<RelayEvent, { readonly kind: Measured }>;

type AcceptedEvent = Extract<ToldEvent, { readonly kind: "accepted" }>;
type DeliveryEvent = Extract<ToldEvent, { readonly delivery: DeliveryId }>;

const TOLD: Readonly<Record<ToldEvent["kind"], true>> = {
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

/** The kinds of events that readers are told of. */
export const EVENT_KINDS = Object.keys(TOLD) as readonly ToldEvent["kind"][];

/** Whether readers are told of an event. */
export function isTold(event: RelayEvent): event is ToldEvent {
  return event.kind in TOLD;
}

/** An event as JSON; one that is too long has only its kind and time, and `cut`. */
export function eventJson(event: ToldEvent): string {
  const head = { kind: event.kind, at: formatTimestamp(event.at) };
  const text = JSON.stringify({ ...head, ...factsOf(event), ...head });
  return text.length <= MAX_EVENT_LENGTH ? text : JSON.stringify({ ...head, cut: true });
}

function factsOf(event: ToldEvent): object {
  if (event.kind === "accepted") return describeAccepted(event);
  if (event.kind === "synced") return { ...event, report: describeReport(event.report) };
  return "delivery" in event ? describeOfDelivery(event) : event;
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

function describeOfDelivery(event: DeliveryEvent): object {
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
