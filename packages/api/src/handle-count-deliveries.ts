// GET /api/deliveries/count: how many deliveries match the filters of a list, up to a bound. The store has no such count: its pages
// are read.

import { defined } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { integerSchema, flagSchema, objectSchema, type Of } from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { FILTERS, queryOf } from "./delivery-filters.js";
import { readQuery } from "./read-query.js";
import { faultAnswer, problemAnswer } from "./refuse.js";

/** The bounds of a count: the deliveries that are counted, and the pages that are read, some of which may be empty. */
const MAX_COUNTED = 10_000;
const MAX_PAGES = 50;
const PAGE = 500;

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
  const read = readQuery(query, FILTERS);
  if (read.kind === "refused") return problemAnswer("bad-query", read.problems);
  const filters = queryOf(read.value);
  let count = 0;
  let after: string | undefined;
  for (let pages = 0; pages < MAX_PAGES && count < MAX_COUNTED; pages += 1) {
    const page = await relay.deliveries({ ...filters, limit: PAGE, ...defined({ after }) });
    if (page.isErr()) return faultAnswer(page.error);
    count += page.value.deliveries.length;
    after = page.value.next;
    if (after === undefined) return jsonAnswer(200, { count, more: false } satisfies Of<typeof COUNTED>);
  }
  return jsonAnswer(200, { count, more: true } satisfies Of<typeof COUNTED>);
}
