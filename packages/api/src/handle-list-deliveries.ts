// GET /api/deliveries: a page of the deliveries that match all filters, newest first. Also the JSON of one delivery in
// a list.

import type { DeliverySummary } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { type QueryFilters, FILTERS, queryOf } from "./delivery-filters.js";
import { countField, type Fields, textField } from "./read-fields.js";
import { readQuery } from "./read-query.js";
import { faultAnswer, problemAnswer } from "./refuse.js";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

interface PageFilters extends QueryFilters {
  readonly after: string;
  readonly limit: number;
}

const PAGE_FILTERS: Fields<PageFilters> = { ...FILTERS, after: textField(String), limit: countField(MAX_LIMIT) };

/** Answers `{ deliveries, next }`. */
export async function handleListDeliveries(relay: Pick<Relay, "deliveries">, query: string): Promise<Answer> {
  const read = readQuery(query, PAGE_FILTERS);
  if (read.kind === "refused") return problemAnswer("bad-query", read.problems);
  return relay
    .deliveries({ limit: DEFAULT_LIMIT, ...queryOf(read.value) })
    .match(
      ({ deliveries, next }) => jsonAnswer(200, { deliveries: deliveries.map(describeDelivery), next: next ?? null }),
      faultAnswer,
    );
}

/** A delivery in an answer: every key is always present, null if it does not apply. */
export interface DeliveryJson {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly source: string;
  readonly destination: string;
  readonly type: string;
  readonly messageId: string;
  readonly acceptedAt: string;
  readonly dueAt: string | null;
  readonly attemptCount: number;
  readonly replayOf: string | null;
}

export function describeDelivery(delivery: DeliverySummary): DeliveryJson {
  return {
    id: delivery.id,
    state: delivery.state,
    reason: delivery.reason ?? null,
    detail: delivery.detail ?? null,
    source: delivery.source,
    destination: delivery.destination,
    type: delivery.type,
    messageId: delivery.messageId,
    acceptedAt: formatTimestamp(delivery.acceptedAt),
    dueAt: delivery.dueAt === undefined ? null : formatTimestamp(delivery.dueAt),
    attemptCount: delivery.attemptCount,
    replayOf: delivery.replayOf ?? null,
  };
}
