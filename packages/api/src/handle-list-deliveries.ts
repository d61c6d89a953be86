// GET /api/deliveries: a page of the deliveries that match all filters, newest first. Also the JSON of one delivery in
// a list.

import {
  CALL_KINDS,
  DEAD_REASONS,
  type DeadReason,
  DELIVERY_STATES,
  type DeliveryState,
  type DeliverySummary,
  type MessageType,
} from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import {
  choiceSchema,
  component,
  instantSchema,
  integerSchema,
  listSchema,
  objectSchema,
  type Of,
  orNull,
  type Properties,
  textSchema,
} from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
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

/** A delivery in an answer: every key is always present, null if it does not apply. */
export interface DeliveryJson {
  readonly id: string;
  readonly state: DeliveryState;
  readonly reason: DeadReason | null;
  readonly detail: string | null;
  readonly source: string;
  readonly destination: string;
  readonly type: MessageType;
  readonly messageId: string;
  readonly acceptedAt: string;
  readonly dueAt: string | null;
  readonly attemptCount: number;
  readonly replayOf: string | null;
}

export const DELIVERY: Properties<DeliveryJson> = {
  id: textSchema(),
  state: choiceSchema(DELIVERY_STATES),
  reason: orNull(choiceSchema(DEAD_REASONS)),
  detail: orNull(textSchema()),
  source: textSchema(),
  destination: textSchema(),
  type: choiceSchema<MessageType>([...CALL_KINDS, "delete"]),
  messageId: textSchema(),
  acceptedAt: instantSchema(),
  dueAt: orNull(instantSchema()),
  attemptCount: integerSchema(),
  replayOf: orNull(textSchema()),
};

const PAGE = objectSchema({ deliveries: listSchema(component("Delivery", DELIVERY)), next: orNull(textSchema()) });

export const LIST_DELIVERIES: ApiOperation = {
  id: "listDeliveries",
  summary: "Lists the deliveries that match all filters, newest first.",
  readBy: "viewer",
  query: { fields: PAGE_FILTERS },
  answer: { status: 200, description: "a page of deliveries, newest first", schema: PAGE },
  refusals: ["store-unavailable"],
};

/** Answers `{ deliveries, next }`. */
export async function handleListDeliveries(relay: Pick<Relay, "deliveries">, query: string): Promise<Answer> {
  const read = readQuery(query, PAGE_FILTERS);
  if (read.kind === "refused") return problemAnswer("bad-query", read.problems);
  return relay.deliveries({ limit: DEFAULT_LIMIT, ...queryOf(read.value) }).match(({ deliveries, next }) => {
    const page: Of<typeof PAGE> = { deliveries: deliveries.map(describeDelivery), next: next ?? null };
    return jsonAnswer(200, page);
  }, faultAnswer);
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
