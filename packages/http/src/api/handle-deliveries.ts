// GET /api/deliveries, GET /api/deliveries/count and GET /api/deliveries/ID/requests: lists and counts the deliveries that
// match all filters, and shows the requests by which one would go out now, with the values of static headers and of
// queries masked.

import {
  CALL_KINDS,
  DEAD_REASONS,
  type DeadReason,
  DELIVERY_STATES,
  type DeliveryState,
  type DeliverySummary,
  type MessageType,
  type DeliveryId,
  type HttpRequest,
} from "@postrider/core";
import { formatTimestamp, defined, maskEndpoint } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "../index.js";
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
  flagSchema,
  wordSchema,
} from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { type QueryFilters, FILTERS, queryOf } from "./delivery-filters.js";
import { countField, type Fields, textField, readQuery } from "./read-request.js";
import { faultAnswer, problemAnswer, noDeliveryAnswer } from "./refuse.js";

const DEFAULT_LIMIT = 50;

const MAX_LIMIT = 500;

interface PageFilters extends QueryFilters {
  readonly after: string;
  readonly limit: number;
}

const PAGE_FILTERS: Fields<PageFilters> = { ...FILTERS, after: textField(String), limit: countField(MAX_LIMIT) };

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

/** A page of deliveries, newest first. `next` is the `after` of the next page; null on the last one. */
export interface DeliveryPageJson {
  readonly deliveries: readonly DeliveryJson[];
  readonly next: string | null;
}

const PAGE = objectSchema<DeliveryPageJson>({
  deliveries: listSchema(component("Delivery", DELIVERY)),
  next: orNull(textSchema()),
});

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
  const pageFilters = readQuery(query, PAGE_FILTERS);
  if (pageFilters.kind === "refused") return problemAnswer("bad-query", pageFilters.problems);
  return relay.deliveries({ limit: DEFAULT_LIMIT, ...queryOf(pageFilters.value) }).match(({ deliveries, next }) => {
    const page: DeliveryPageJson = { deliveries: deliveries.map(describeDelivery), next: next ?? null };
    return jsonAnswer(200, page);
  }, faultAnswer);
}

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

/** A count ends once it has reached this number of deliveries. */
const MAX_COUNTED = 10_000;

const COUNTED_AT_ONCE = 500;

/** A count ends after this number of pages, some of which may be empty. */
const MAX_PAGES = 50;

const COUNTED = objectSchema({ count: integerSchema(), more: flagSchema() });

export const COUNT_DELIVERIES: ApiOperation = {
  id: "countDeliveries",
  summary: "Counts the deliveries that match all filters.",
  readBy: "viewer",
  query: { fields: FILTERS },
  answer: { status: 200, description: "how many match, up to a bound", schema: COUNTED },
  refusals: ["store-unavailable"],
};

/** Answers `{ count, more }`; `more`: the count has ended at a bound, and there may be others. */
export async function handleCountDeliveries(relay: Pick<Relay, "deliveries">, query: string): Promise<Answer> {
  const outcome = readQuery(query, FILTERS);
  if (outcome.kind === "refused") return problemAnswer("bad-query", outcome.problems);
  const filters = queryOf(outcome.value);
  let count = 0;
  let after: string | undefined;
  for (let pages = 0; pages < MAX_PAGES && count < MAX_COUNTED; pages += 1) {
    const page = await relay.deliveries({ ...filters, limit: COUNTED_AT_ONCE, ...defined({ after }) });
    if (page.isErr()) return faultAnswer(page.error);
    count += page.value.deliveries.length;
    after = page.value.next;
    if (after === undefined) return jsonAnswer(200, { count, more: false } satisfies Of<typeof COUNTED>);
  }
  return jsonAnswer(200, { count, more: true } satisfies Of<typeof COUNTED>);
}

/** A request by which a delivery would go out now, in an answer. */
interface RequestJson {
  readonly method: "POST";
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

/** The requests by which a delivery would go out now, one for each endpoint. */
export interface DeliveryRequestsJson {
  readonly id: string;
  readonly requests: readonly RequestJson[];
}

const REQUESTS = component<DeliveryRequestsJson>("DeliveryRequests", {
  id: textSchema(),
  requests: listSchema(
    objectSchema<RequestJson>({
      method: wordSchema("POST"),
      url: textSchema(),
      headers: listSchema(objectSchema({ name: textSchema(), value: textSchema() })),
      body: textSchema(),
    }),
  ),
});

export const SHOW_REQUESTS: ApiOperation = {
  id: "showRequests",
  summary: "Shows the requests by which a delivery would go out now, one for each endpoint. Sends nothing.",
  readBy: "content",
  answer: { status: 200, description: "the requests by which it would go out now", schema: REQUESTS },
  refusals: ["not-found", "purged", "destination-removed", "store-unavailable"],
};

/** Answers `{ id, requests }`, each with its headers in the order in which they are sent. */
export async function handleShowRequests(relay: Pick<Relay, "requests">, id: DeliveryId): Promise<Answer> {
  return relay.requests(id).match((outcome) => {
    if (outcome === undefined) return noDeliveryAnswer();
    if (outcome.kind !== "shown") return faultAnswer({ code: outcome.kind });
    return jsonAnswer(200, { id, requests: outcome.requests.map(describeRequest) } satisfies DeliveryRequestsJson);
  }, faultAnswer);
}

function describeRequest({ url, headers, body }: HttpRequest): RequestJson {
  return {
    method: "POST",
    url: maskEndpoint(url),
    // The relay has replaced the values of static headers by `***`.
    headers: headers.map(([name, value]) => ({ name, value })),
    body: new TextDecoder().decode(body),
  };
}
