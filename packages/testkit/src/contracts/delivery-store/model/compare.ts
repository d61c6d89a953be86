// Compares the visible state of a store with what the model says that it must show, and throws with the first
// difference. Large values become text only if they differ.

import { defined } from "@postrider/core/engine";
import {
  type Counts,
  type DeliveryRecord,
  type DeliverySummary,
  type EpochMs,
  epochMs,
  type LaneRow,
  type ListQuery,
  NO_COUNTS,
  type SourceCounts,
  type SourceId,
  type AttemptRecord,
  type DeletionRecord,
} from "@postrider/core";
import { expectEqual, expectThat } from "../../check.js";
import { wasReplayed } from "./moves.js";
import { isUnfinished, type Model, type ModelDelivery, unfinishedIn } from "./model.js";
import type { Snapshot, UserSnapshot } from "./snapshot.js";
import { requestRecordOf, learnUserOrder } from "./users.js";

export function expectAgreement(model: Model, snapshot: Snapshot): void {
  for (const delivery of model.deliveries) {
    const record = withAttemptsInOrder(snapshot.records.get(delivery.id), `the attempts of ${delivery.id}`);
    expectSame(record, withAttemptsInOrder(recordOf(delivery), ""), `what find shows of ${delivery.id}`);
  }
  const { deliveries, next } = snapshot.list;
  expectSame(deliveries, listOf(model, {}).map(summaryOf), "the list of all deliveries");
  expectThat(next === undefined, "the list of all deliveries promises more");
  expectSame(countedBy(snapshot.counts), modelCounts(model), "the counters");
  expectSame(snapshot.lanes, lanesOf(model), "the lanes");
  if (snapshot.users !== undefined) expectUsers(model, snapshot.users);
}

function expectUsers(model: Model, { requests, listed, unfinished, suppressed }: UserSnapshot): void {
  const expected = model.requests.map((request) => requestRecordOf(model, request));
  for (const request of expected) {
    const record = requests.get(request.id);
    expectSame(record && inSourceOrder(record), request, `what find shows of the request ${request.id}`);
  }
  expectSame(requests.size, expected.length, "how many of the requests are found");
  const newestFirst = expected.toReversed();
  expectSame(
    listed.map(inSourceOrder),
    newestFirst.map((request) => ({ ...request, userIds: [] })),
    "the list of all requests",
  );
  const unfinishedRequests = newestFirst.filter(({ finishedAt }) => finishedAt === undefined);
  expectSame(
    unfinished,
    unfinishedRequests.map(({ id }) => id),
    "the list of unfinished requests",
  );
  expectSame(suppressed.toSorted(compareText), model.suppressed.toSorted(compareText), "the suppressed users");
  learnUserOrder(model, suppressed);
}

/** The counts of notices by source: a store may show them in any order. */
function inSourceOrder(request: DeletionRecord): DeletionRecord {
  return { ...request, notices: request.notices.toSorted((first, second) => compareText(first.source, second.source)) };
}

/**
 * Sorts attempts by start, then by endpoint, then by round. If `what` is not empty, throws unless the store has ordered the
 * attempts by start and endpoint.
 */
function withAttemptsInOrder(record: DeliveryRecord | undefined, what: string): DeliveryRecord | undefined {
  if (record === undefined) return undefined;
  const attempts = record.attempts.toSorted(
    (first, second) => byStartThenEndpoint(first, second) || first.round - second.round,
  );
  if (what !== "") expectSame(record.attempts.map(placeOf), attempts.map(placeOf), `the order of ${what}`);
  return { ...record, attempts };
}

function placeOf({ startedAt, endpoint }: AttemptRecord): unknown {
  return { startedAt, endpoint };
}

function byStartThenEndpoint(first: AttemptRecord, second: AttemptRecord): number {
  return first.startedAt - second.startedAt || compareText(first.endpoint, second.endpoint);
}

function compareText(first: string, second: string): number {
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

/** The counters by source, without rows in which all counts are 0: a store may leave such rows out. */
export function countedBy(counts: readonly SourceCounts[]): unknown {
  const rows = counts.filter(({ source: _, ...counters }) => Object.values(counters).some((n) => n !== 0));
  return rows.toSorted((first, second) => compareText(first.source, second.source));
}

/** The result of `find`, except for the order of attempts that start together at one endpoint. */
function recordOf(delivery: ModelDelivery): DeliveryRecord | undefined {
  const { message, attempts, endpoints, isSwept, lapses } = delivery;
  if (isSwept) return undefined;
  const body = message.isPurged ? undefined : message.body;
  return { ...summaryOf(delivery), ...defined({ body, lapses }), attempts, endpoints };
}

export function summaryOf(delivery: ModelDelivery): DeliverySummary {
  const { id, message, destination, acceptedAt, replayOf, state, at, reason, detail, attempts } = delivery;
  const { source, type, messageId } = message;
  return {
    id,
    state,
    source,
    destination,
    type,
    messageId,
    acceptedAt,
    attemptCount: attempts.length,
    ...(isUnfinished(delivery) ? { dueAt: at } : {}),
    ...defined({ reason, detail, replayOf }),
  };
}

/** The complete list for a query, newest first. */
export function listOf(model: Model, query: Omit<ListQuery, "limit">): readonly ModelDelivery[] {
  const { acceptedSince = -Infinity, acceptedBefore = Infinity, notReplayed = false } = query;
  const matches = model.deliveries.filter((delivery) => {
    if (delivery.isSwept || !matchesQuery(delivery, query)) return false;
    if (notReplayed && wasReplayed(model, delivery)) return false;
    return acceptedSince <= delivery.acceptedAt && delivery.acceptedAt < acceptedBefore;
  });
  return matches.toReversed();
}

const QUERY_FIELDS = ["reason", "source", "destination", "type", "messageId"] as const;

function matchesQuery(delivery: ModelDelivery, query: Omit<ListQuery, "limit">): boolean {
  const summary = summaryOf(delivery);
  const { states, details, userId } = query;
  if (states !== undefined && !states.includes(summary.state)) return false;
  if (details !== undefined && (summary.detail === undefined || !details.includes(summary.detail))) return false;
  if (userId !== undefined && (delivery.message.isPurged || !delivery.message.userIds.includes(userId))) return false;
  return QUERY_FIELDS.every((name) => query[name] === undefined || query[name] === summary[name]);
}

/** The instant at which the earliest of these can be claimed. */
export function earliestAt(deliveries: readonly ModelDelivery[]): EpochMs {
  return epochMs(Math.min(...deliveries.map(({ at }) => at)));
}

/** The lanes with unfinished deliveries. A body that is purged has no bytes. */
export function lanesOf(model: Model): readonly LaneRow[] {
  const lanes = new Set(model.deliveries.filter(isUnfinished).map(({ destination }) => destination));
  return [...lanes].sort().map((lane) => {
    const laneDeliveries = unfinishedIn(model, lane);
    const bytes = laneDeliveries.reduce((sum, { message }) => sum + (message.isPurged ? 0 : message.body.length), 0);
    const firstAttemptAt = earliestFirstAttempt(laneDeliveries);
    return {
      lane,
      deliveries: laneDeliveries.length,
      bytes,
      nextDueAt: earliestAt(laneDeliveries),
      ...defined({ firstAttemptAt }),
    };
  });
}

function earliestFirstAttempt(deliveries: readonly ModelDelivery[]): EpochMs | undefined {
  const starts = deliveries.flatMap(({ firstAttemptAt }) => firstAttemptAt ?? []);
  return starts.length === 0 ? undefined : epochMs(Math.min(...starts));
}

/** The counters of each source for which anything was counted. */
export function modelCounts(model: Model): readonly SourceCounts[] {
  const modelCounted = model.counts.filter(({ count }) => count > 0);
  const sources = [
    ...model.deliveries.map(({ message }) => message.source),
    ...modelCounted.map(({ source }) => source),
  ];
  return [...new Set(sources)].sort().map((source) => ({ source, ...recount(model, source) }));
}

function recount(model: Model, source: SourceId): Counts {
  const counts = { ...NO_COUNTS } as { -readonly [Name in keyof Counts]: number };
  for (const { state, message } of model.deliveries) if (message.source === source) counts[state] += 1;
  for (const counted of model.counts) if (counted.source === source) counts[counted.name] += counted.count;
  return { ...counts, accepted: counts.filtered + counts.waiting + counts.claimed + counts.delivered + counts.dead };
}

/** Throws unless `actual` equals `expected`. `what` names the compared value. */
function expectSame(actual: unknown, expected: unknown, what: string): void {
  if (!isSame(actual, expected)) expectEqual(actual, expected, what);
}

function isSame(actual: unknown, expected: unknown): boolean {
  if (Object.is(actual, expected)) return true;
  if (typeof actual !== "object" || typeof expected !== "object" || actual === null || expected === null) return false;
  if (actual instanceof Map || expected instanceof Map) return false;
  if (Array.isArray(actual) !== Array.isArray(expected)) return false;
  if (actual instanceof Uint8Array !== expected instanceof Uint8Array) return false;
  return areFieldsSame(actual as Fields, expected as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

/** An absent field equals an undefined one. */
function areFieldsSame(actual: Fields, expected: Fields): boolean {
  const names = Object.keys(actual);
  return (
    names.every((name) => isSame(actual[name], expected[name])) &&
    Object.keys(expected).every((name) => name in actual || expected[name] === undefined)
  );
}
