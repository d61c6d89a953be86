// Compares the visible state of a store with the model, and throws with the first difference.

import type { AttemptRecord, DeletionRecord, DeliveryRecord, SourceCounts } from "@postrider/core";
import { expectThat } from "../../check.js";
import { expectSame } from "./expect-same.js";
import type { Model } from "./model.js";
import type { Snapshot, UserSnapshot } from "./snapshot.js";
import { requestRecordOf } from "./users.js";
import { learnUserOrder } from "./user-order.js";
import { lanesOf, listOf, modelCounts, recordOf, summaryOf } from "./views.js";

export function expectAgreement(model: Model, seen: Snapshot): void {
  for (const delivery of model.deliveries) {
    const found = inOrder(seen.records.get(delivery.id), `the attempts of ${delivery.id}`);
    expectSame(found, inOrder(recordOf(delivery), ""), `what find shows of ${delivery.id}`);
  }
  const { deliveries, next } = seen.list;
  expectSame(deliveries, listOf(model, {}).map(summaryOf), "the list of all deliveries");
  expectThat(next === undefined, "the list of all deliveries promises more");
  expectSame(countedBy(seen.counts), modelCounts(model), "the counters");
  expectSame(seen.lanes, lanesOf(model), "the lanes");
  if (seen.users !== undefined) expectUsers(model, seen.users);
}

function expectUsers(model: Model, { requests, listed, unfinished, suppressed }: UserSnapshot): void {
  const expected = model.requests.map((request) => requestRecordOf(model, request));
  for (const request of expected) {
    const found = requests.get(request.id);
    expectSame(found && inSourceOrder(found), request, `what find shows of the request ${request.id}`);
  }
  expectSame(requests.size, expected.length, "how many of the requests are found");
  const newestFirst = expected.toReversed();
  expectSame(
    listed.map(inSourceOrder),
    newestFirst.map((request) => ({ ...request, userIds: [] })),
    "the list of all requests",
  );
  const waiting = newestFirst.filter(({ finishedAt }) => finishedAt === undefined);
  expectSame(
    unfinished,
    waiting.map(({ id }) => id),
    "the list of unfinished requests",
  );
  expectSame(suppressed.toSorted(compareText), model.suppressed.toSorted(compareText), "the suppressed users");
  learnUserOrder(model, suppressed);
}

/** The counts of notices by source: a store may show them in any order. */
function inSourceOrder(request: DeletionRecord): DeletionRecord {
  return { ...request, notices: request.notices.toSorted((one, other) => compareText(one.source, other.source)) };
}

/**
 * Sorts attempts by start, then by endpoint, then by round. If `what` is not empty, throws unless the store has ordered the
 * attempts by start and endpoint.
 */
function inOrder(record: DeliveryRecord | undefined, what: string): DeliveryRecord | undefined {
  if (record === undefined) return undefined;
  const attempts = record.attempts.toSorted((one, other) => byStartThenEndpoint(one, other) || one.round - other.round);
  if (what !== "") expectSame(record.attempts.map(standing), attempts.map(standing), `the order of ${what}`);
  return { ...record, attempts };
}

function standing({ startedAt, endpoint }: AttemptRecord): unknown {
  return { startedAt, endpoint };
}

function byStartThenEndpoint(one: AttemptRecord, other: AttemptRecord): number {
  return one.startedAt - other.startedAt || compareText(one.endpoint, other.endpoint);
}

function compareText(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** The counters by source, without rows in which all counts are 0: a store may leave such rows out. */
export function countedBy(counts: readonly SourceCounts[]): unknown {
  const rows = counts.filter(({ source: _, ...counters }) => Object.values(counters).some((n) => n !== 0));
  return rows.toSorted((one, other) => compareText(one.source, other.source));
}
