// Reads one delivery in full or as a row of a list, the counters of all sources, pages of the lanes with unfinished deliveries and of the
// lanes that have changed after a mark, and the dedupe entries of a message id.

import {
  type AttemptRecord,
  type DeliveryId,
  type DeliveryRecord,
  type DeliverySummary,
  type SourceCounts,
  type DestinationId,
  epochMs,
  type LanePage,
  type LanePageRequest,
  type LaneRow,
  type ChangedLanes,
  type LaneChanges,
  laneMark,
  type EpochMs,
  type SeenMessage,
  type SeenQuery,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { type Contents, copyBody, copyEndpoints, type StoredDelivery, type StoredLane } from "./contents.js";
import type { RunAsPromise } from "../record-store.js";
import { recall } from "./dedupe.js";

export function find(contents: Contents, id: DeliveryId): DeliveryRecord | undefined {
  const delivery = contents.deliveries.get(id);
  if (delivery === undefined) return undefined;
  const attempts = delivery.attempts.toSorted(byStartThenEndpoint);
  const endpoints = copyEndpoints(delivery.endpoints);
  const { message, lapses } = delivery;
  const body = message.body && copyBody(message.body);
  return { ...summarise(delivery), ...defined({ body }), attempts, endpoints, ...defined({ lapses }) };
}

function byStartThenEndpoint(first: AttemptRecord, second: AttemptRecord): number {
  if (first.startedAt !== second.startedAt) return first.startedAt - second.startedAt;
  if (first.endpoint === second.endpoint) return 0;
  return first.endpoint < second.endpoint ? -1 : 1;
}

export function summarise(delivery: StoredDelivery): DeliverySummary {
  const { id, state, reason, detail, destination, acceptedAt, replayOf, message, at, attempts } = delivery;
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
    ...defined({ reason, detail }),
    ...(state === "waiting" || state === "claimed" ? { dueAt: at } : {}),
    ...defined({ replayOf }),
  };
}

export function counts(contents: Contents): readonly SourceCounts[] {
  return [...contents.counts].map(([source, row]) => ({ source, ...row }));
}

export function lanes(contents: Contents, { after, limit }: LanePageRequest): LanePage {
  const laterLanes = [...contents.lanes].filter(([id]) => after === undefined || id > after).sort(byId);
  const rows = laterLanes.slice(0, limit).flatMap(([id, lane]) => showLane(id, lane));
  return { lanes: rows, more: laterLanes.length > limit };
}

/** The row of a lane; none if it has no unfinished deliveries. */
function showLane(id: DestinationId, lane: StoredLane | undefined): readonly LaneRow[] {
  const earliest = lane?.queue.first();
  if (lane === undefined || earliest === undefined) return [];
  const { queue, firstAttempts, bytes } = lane;
  const firstAttempt = firstAttempts.first();
  const firstAttemptAt = firstAttempt === undefined ? undefined : epochMs(firstAttempt.at);
  return [{ lane: id, deliveries: queue.size(), bytes, nextDueAt: earliest.at, ...defined({ firstAttemptAt }) }];
}

function byId([first]: readonly [string, unknown], [second]: readonly [string, unknown]): number {
  return first < second ? -1 : 1;
}

export function createMemoryLaneChanges(contents: Contents, answer: RunAsPromise): LaneChanges {
  const { changes } = contents;

  function page(after: number, limit: number): ChangedLanes | undefined {
    const changedLanes = changes.after(after);
    if (changedLanes === undefined) return undefined;
    const pageLanes = changedLanes.slice(0, limit);
    const [, lastNumber] = pageLanes.at(-1) ?? [undefined, after];
    return {
      lanes: pageLanes.flatMap(([id]) => showLane(id, contents.lanes.get(id))),
      emptied: pageLanes.map(([id]) => id).filter((id) => !contents.lanes.has(id)),
      mark: laneMark(String(lastNumber)),
      more: changedLanes.length > limit,
    };
  }

  return {
    // Without a mark, the answer is the current mark alone.
    read: ({ after, limit }) =>
      answer(() => (after === undefined ? page(changes.lastNumber(), 0) : page(numberOf(after), limit))),
  };
}

/** The number of a mark; NaN for one that this store has not created, after which no change is known. */
function numberOf(mark: string): number {
  return /^\d{1,15}$/u.test(mark) ? Number(mark) : NaN;
}

export function listSeen(contents: Contents, { messageId, source }: SeenQuery, now: EpochMs): readonly SeenMessage[] {
  const sources = source === undefined ? [...contents.counts.keys()] : [source];
  return sources.flatMap((id) => recall(contents.seen, { source: id, messageId }, now) ?? []);
}
