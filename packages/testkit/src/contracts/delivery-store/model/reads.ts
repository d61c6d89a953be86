// Commands that read pages of deliveries by any query, and of lanes from any position, and look up message ids. Cursors
// of pages are used again later, after any changes.

import {
  DEAD_REASONS,
  DELIVERY_STATES,
  type DeliveryPage,
  type LanePage,
  type LanePageRequest,
  type ListQuery,
  type SeenMessage,
  type SeenQuery,
  type SourceCounts,
} from "@postrider/core";
import fc from "fast-check";
import { expectEqual, expectThat } from "../../check.js";
import { type Drawn, nearbyInstants, type Question, questionsOf } from "./command.js";
import { countedBy, lanesOf, listOf, modelCounts, summaryOf } from "./compare.js";
import type { Model, ModelCursor, ModelDelivery } from "./model.js";
import { seenBy } from "./moves.js";
import { lanes, messageIds, pageLimits, sources, types, userIds } from "./names.js";

type ListFilters = Omit<ListQuery, "limit">;

const acceptedInstants = nearbyInstants(-2_000, 100);

const filters: fc.Arbitrary<Drawn<ListFilters>> = fc.oneof(
  fc.subarray([...DELIVERY_STATES]).map((states): Drawn<ListFilters> => () => ({ states })),
  fc.subarray(["404", "timeout", "200", ""]).map((details): Drawn<ListFilters> => () => ({ details })),
  fc.constantFrom(...DEAD_REASONS).map((reason): Drawn<ListFilters> => () => ({ reason })),
  sources.map((source) => () => ({ source })),
  lanes.map((destination) => () => ({ destination })),
  types.map((type) => () => ({ type })),
  messageIds.map((messageId) => () => ({ messageId })),
  userIds.map((userId) => () => ({ userId })),
  fc.constant(() => ({ notReplayed: true })),
  fc.constantFrom("", "made up", "0").map((after) => () => ({ after })),
  acceptedInstants.map((acceptedSince): Drawn<ListFilters> => (there) => ({ acceptedSince: acceptedSince(there) })),
  acceptedInstants.map((acceptedBefore): Drawn<ListFilters> => (there) => ({ acceptedBefore: acceptedBefore(there) })),
);

/** With more than three filters, hardly any delivery would match. */
const listQueries: fc.Arbitrary<Drawn<ListQuery>> = fc.tuple(pageLimits, fc.array(filters, { maxLength: 3 })).map(
  ([limit, drawnFilters]) =>
    (there) =>
      drawnFilters.reduce<ListQuery>((query, filter) => ({ ...query, ...filter(there) }), { limit }),
);

/** Continues after an earlier page, with the same query. */
const continuations: fc.Arbitrary<Drawn<ListQuery>> = fc
  .tuple(fc.nat(9), pageLimits)
  .map(([place, limit]) => (there) => {
    const { cursors } = there.model;
    const cursor = cursors[place % cursors.length];
    return cursor === undefined ? { limit } : { ...cursor.query, after: cursor.after, limit };
  });

export const LIST_QUESTIONS: fc.Arbitrary<Question> = questionsOf<ListQuery, DeliveryPage>({
  name: "list",
  isRead: true,
  drawn: fc.oneof(listQueries, continuations),
  send: (store, request) => store.list(request),
  follow: (model, { request: { limit, ...query }, answer }) => {
    const expected = deliveriesFrom(model, query);
    expectEqual(answer.deliveries, expected.slice(0, limit).map(summaryOf), "the deliveries listed");
    if (expected.length > limit)
      expectThat(answer.next !== undefined, "a page that does not show all names no next one");
    if (expected.length < limit) expectThat(answer.next === undefined, "a page that shows all promises more");
    remember(model, query, answer);
  },
});

/**
 * The deliveries of this page and of all pages after it: those that are older than the last one of the previous page.
 */
function deliveriesFrom(model: Model, { after, ...query }: ListFilters): readonly ModelDelivery[] {
  if (after === undefined) return listOf(model, query);
  const cursor = model.cursors.find((candidate) => candidate.after === after);
  const place = model.deliveries.findIndex(({ id }) => id === cursor?.lastId);
  const older = model.deliveries.slice(0, Math.max(place, 0));
  return listOf(model, query).filter((delivery) => older.includes(delivery));
}

function remember(model: Model, { after: _, ...query }: ListFilters, { deliveries, next }: DeliveryPage): void {
  const lastDelivery = deliveries.at(-1);
  if (next === undefined || lastDelivery === undefined) return;
  const cursor: ModelCursor = { after: next, query, lastId: lastDelivery.id };
  model.cursors.push(cursor);
}

const lanePages: fc.Arbitrary<LanePageRequest> = fc.record(
  { limit: pageLimits, after: lanes },
  { requiredKeys: ["limit"] },
);

export const LANES_QUESTIONS: fc.Arbitrary<Question> = questionsOf<LanePageRequest, LanePage>({
  name: "lanes",
  isRead: true,
  drawn: lanePages.map((page) => () => page),
  send: (store, request, now) => store.lanes(request, now),
  follow: (model, { request: { after, limit }, answer: { lanes: pageRows, more } }) => {
    const expectedRows = lanesOf(model).filter(({ lane }) => after === undefined || lane > after);
    expectEqual(pageRows, expectedRows.slice(0, pageRows.length), "the lanes of a page");
    expectThat(pageRows.length <= limit, "a page of lanes has more lanes than its limit");
    expectThat(
      more ? pageRows.length > 0 : pageRows.length === expectedRows.length,
      "a page of lanes leaves out lanes, or says wrongly that there are more",
    );
  },
});

const seenQueries: fc.Arbitrary<SeenQuery> = fc.record(
  { messageId: messageIds, source: sources },
  { requiredKeys: ["messageId"] },
);

export const SEEN_QUESTIONS: fc.Arbitrary<Question> = questionsOf<SeenQuery, readonly SeenMessage[]>({
  name: "seen",
  isRead: true,
  drawn: seenQueries.map((query) => () => query),
  send: (store, request, now) => store.seen(request, now),
  follow: (model, { request, answer, now }) => {
    expectEqual(
      bySource(answer),
      bySource(seenBy(model, request, now)),
      `what is seen under ${JSON.stringify(request)}`,
    );
  },
});

function bySource(sightings: readonly SeenMessage[]): readonly SeenMessage[] {
  return sightings.toSorted((first, second) => (first.source < second.source ? -1 : 1));
}

/** Of use among commands that are sent together: the counters are compared after every command. */
export const COUNTS_QUESTIONS: fc.Arbitrary<Question> = questionsOf<undefined, readonly SourceCounts[]>({
  name: "counts",
  isRead: true,
  drawn: fc.constant(() => undefined),
  send: (store) => store.counts(),
  follow: (model, { answer }) => {
    expectEqual(countedBy(answer), modelCounts(model), "the counters, as answered");
  },
});
