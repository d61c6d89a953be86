// What a store that agrees with the model shows: of a delivery, in lists, in its counters and lanes.

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
} from "@postrider/core";
import { isUnfinished, type Model, type ModelDelivery, unfinishedIn } from "./model.js";

/** The result of `find`, except for the order of attempts that start together at one endpoint. */
export function recordOf(delivery: ModelDelivery): DeliveryRecord | undefined {
  const { message, attempts, endpoints, isSwept, lapses } = delivery;
  if (isSwept) return undefined;
  const body = message.isPurged ? undefined : message.body;
  return { ...summaryOf(delivery), ...defined({ body, lapses }), attempts, endpoints };
}

export function summaryOf(delivery: ModelDelivery): DeliverySummary {
  const { id, message, destination, acceptedAt, replayOf, state, at, reason, detail, attempts } = delivery;
  const { source, type, messageId } = message;
  return {
    ...{ id, state, source, destination, type, messageId, acceptedAt, attemptCount: attempts.length },
    ...(isUnfinished(delivery) ? { dueAt: at } : {}),
    ...defined({ reason, detail, replayOf }),
  };
}

/** The complete list for a query, newest first. */
export function listOf(model: Model, query: Omit<ListQuery, "limit">): readonly ModelDelivery[] {
  const { acceptedSince = -Infinity, acceptedBefore = Infinity, notReplayed = false } = query;
  const shown = model.deliveries.filter((delivery) => {
    if (delivery.isSwept || !isAsked(delivery, query)) return false;
    if (notReplayed && model.deliveries.some(({ replayOf }) => replayOf === delivery.id)) return false;
    return acceptedSince <= delivery.acceptedAt && delivery.acceptedAt < acceptedBefore;
  });
  return shown.toReversed();
}

const ASKED = ["reason", "source", "destination", "type", "messageId"] as const;

function isAsked(delivery: ModelDelivery, query: Omit<ListQuery, "limit">): boolean {
  const summary = summaryOf(delivery);
  const { states, details, userId } = query;
  if (states !== undefined && !states.includes(summary.state)) return false;
  if (details !== undefined && (summary.detail === undefined || !details.includes(summary.detail))) return false;
  if (userId !== undefined && (delivery.message.isPurged || !delivery.message.userIds.includes(userId))) return false;
  return ASKED.every((name) => query[name] === undefined || query[name] === summary[name]);
}

/** When the earliest of these can be claimed. */
export function earliestAt(deliveries: readonly ModelDelivery[]): EpochMs {
  return epochMs(Math.min(...deliveries.map(({ at }) => at)));
}

/** The lanes with unfinished deliveries. A body that is purged has no bytes. */
export function lanesOf(model: Model): readonly LaneRow[] {
  const lanes = new Set(model.deliveries.filter(isUnfinished).map(({ destination }) => destination));
  return [...lanes].sort().map((lane) => {
    const held = unfinishedIn(model, lane);
    const bytes = held.reduce((sum, { message }) => sum + (message.isPurged ? 0 : message.body.length), 0);
    const firstAttemptAt = earliestFirstAttempt(held);
    return { lane, deliveries: held.length, bytes, nextDueAt: earliestAt(held), ...defined({ firstAttemptAt }) };
  });
}

function earliestFirstAttempt(deliveries: readonly ModelDelivery[]): EpochMs | undefined {
  const starts = deliveries.flatMap(({ firstAttemptAt }) => firstAttemptAt ?? []);
  return starts.length === 0 ? undefined : epochMs(Math.min(...starts));
}

/** The counters of each source for which anything was counted. */
export function modelCounts(model: Model): readonly SourceCounts[] {
  const tallied = model.tallied.filter(({ count }) => count > 0);
  const sources = [...model.deliveries.map(({ message }) => message.source), ...tallied.map(({ source }) => source)];
  return [...new Set(sources)].sort().map((source) => ({ source, ...recount(model, source) }));
}

function recount(model: Model, source: SourceId): Counts {
  const counts = { ...NO_COUNTS } as { -readonly [Name in keyof Counts]: number };
  for (const { state, message } of model.deliveries) if (message.source === source) counts[state] += 1;
  for (const { name, count, ...of } of model.tallied) if (of.source === source) counts[name] += count;
  return { ...counts, accepted: counts.filtered + counts.waiting + counts.claimed + counts.delivered + counts.dead };
}
