// Reads one delivery in full, the counters of all sources at one moment, the lanes with unfinished deliveries in pages ordered by
// lane id, and the dedupe entries of a message id.

import {
  type DeliverySummary,
  type EpochMs,
  type SeenMessage,
  type SeenQuery,
  sourceId,
  type DeliveryId,
  type DeliveryRecord,
  type DeadReason,
  destinationId,
  epochMs,
  type MessageType,
  type SourceCounts,
  createStoreError,
  type LanePage,
  type LanePageRequest,
  type LaneRow,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { SqliteDatabase } from "../file/database.js";
import {
  readNumber,
  readRow,
  readRows,
  readText,
  readMaybeNumber,
  readMaybeText,
  type Row,
  toText,
} from "../rows/rows.js";
import type { Dedupe } from "./dedupe/dedupe.js";
import { prepareReadAttempts, prepareEndpoints } from "./attempts.js";
import { rowOf, readMaybeBody, idOf, readState } from "./codes.js";
import { prepareLapses, readEarliestDueAt, nextDueSql } from "./claim.js";

export function prepareFind(database: SqliteDatabase): (id: DeliveryId) => DeliveryRecord | undefined {
  const find = database.prepare(
    `select ${SUMMARY_COLUMNS}, d.checksum, m.body, m.wiped from delivery d left join message m on m.id = d.message where d.id = ?`,
  );
  const readAttempts = prepareReadAttempts(database);
  const endpoints = prepareEndpoints(database);
  const lapses = prepareLapses(database);
  return (id) => {
    const number = rowOf(id);
    const row = number === undefined ? undefined : readRow(find.get(number));
    if (number === undefined || row === undefined) return undefined;
    const summary = readSummary(row);
    const body = readMaybeBody(row, summary.destination);
    return {
      ...summary,
      ...defined({ body }),
      attempts: readAttempts(number),
      endpoints: endpoints.read(number),
      ...defined({ lapses: lapses.read(number) }),
    };
  };
}

/** The columns that `readSummary` reads, of `delivery d join message m`. */
export const SUMMARY_COLUMNS = `d.id, d.state, d.reason, d.detail, d.lane, d.accepted_at, d.due_at, d.attempt_count, d.replay_of,
  m.source, m.type, m.message_id`;

export function readSummary(row: Row): DeliverySummary {
  const reason = readMaybeText(row, "reason");
  const detail = readMaybeText(row, "detail");
  const dueAt = readMaybeNumber(row, "due_at");
  const replayOf = readMaybeNumber(row, "replay_of");
  return {
    id: idOf(readNumber(row, "id")),
    state: readState(row),
    source: sourceId(readText(row, "source")),
    destination: destinationId(readText(row, "lane")),
    type: readText(row, "type") as MessageType,
    messageId: readText(row, "message_id"),
    acceptedAt: epochMs(readNumber(row, "accepted_at")),
    attemptCount: readNumber(row, "attempt_count"),
    ...(reason === undefined ? {} : { reason: reason as DeadReason }),
    ...defined({ detail }),
    ...(dueAt === undefined ? {} : { dueAt: epochMs(dueAt) }),
    ...(replayOf === undefined ? {} : { replayOf: idOf(replayOf) }),
  };
}

const COUNTS = `
  select source, accepted, filtered, waiting, claimed, delivered, dead, received, refused, duplicates, suppressed, shed
  from tally order by source`;

export function prepareCounts(database: SqliteDatabase): () => readonly SourceCounts[] {
  const counts = database.prepare(COUNTS);
  return () => readRows(counts.all()).map(readCounts);
}

function readCounts(row: Row): SourceCounts {
  return {
    source: sourceId(readText(row, "source")),
    accepted: readNumber(row, "accepted"),
    filtered: readNumber(row, "filtered"),
    waiting: readNumber(row, "waiting"),
    claimed: readNumber(row, "claimed"),
    delivered: readNumber(row, "delivered"),
    dead: readNumber(row, "dead"),
    received: readNumber(row, "received"),
    refused: readNumber(row, "refused"),
    duplicates: readNumber(row, "duplicates"),
    suppressed: readNumber(row, "suppressed"),
    shed: readNumber(row, "shed"),
  };
}

const FIRST_ATTEMPT_AT = `select first_attempt_at from delivery indexed by delivery_tried
    where lane = l.lane and due_at is not null and first_attempt_at is not null order by first_attempt_at limit 1`;

/** Exported for the test of its query plan. */
export const SELECT_LANE_PAGE: string = `
  select lane, deliveries, bytes, (${FIRST_ATTEMPT_AT}) as first_attempt_at,
    (${nextDueSql("l.lane", 0)}) as untried, (${nextDueSql("l.lane", 1)}) as tried
  from lane l where deliveries > 0 and lane > ? order by lane limit ?`;

export function prepareLanes(database: SqliteDatabase): (page: LanePageRequest) => LanePage {
  const selectPage = database.prepare(SELECT_LANE_PAGE);
  return ({ after, limit }) => {
    const rows = readRows(selectPage.all(after === undefined ? "" : toText(after), limit + 1));
    return { lanes: rows.slice(0, limit).map(readLane), more: rows.length > limit };
  };
}

function readLane(row: Row): LaneRow {
  const nextDueAt = readEarliestDueAt(row);
  if (nextDueAt === undefined)
    throw createStoreError("corrupt", "SQLite: a lane is said to hold deliveries, and has none");
  const firstAttemptAt = readMaybeNumber(row, "first_attempt_at");
  return {
    lane: destinationId(readText(row, "lane")),
    deliveries: readNumber(row, "deliveries"),
    bytes: readNumber(row, "bytes"),
    nextDueAt,
    ...(firstAttemptAt === undefined ? {} : { firstAttemptAt: epochMs(firstAttemptAt) }),
  };
}

export type ListSeen = (query: SeenQuery, now: EpochMs) => readonly SeenMessage[];

export function prepareListSeen(database: SqliteDatabase, dedupe: Pick<Dedupe, "recall">): ListSeen {
  return ({ messageId, source: onlySource }, now) => {
    const sources = onlySource === undefined ? sourcesOf(database) : [onlySource];
    return sources.flatMap((source) => {
      const entry = dedupe.recall({ source, messageId }, now);
      if (entry === undefined) return [];
      const { at, after, upTo } = entry;
      return [{ source: sourceId(source), seenAt: at, deliveries: upTo - after }];
    });
  };
}

/** All sources that ever had a message. */
export function sourcesOf(database: SqliteDatabase): readonly string[] {
  return readRows(database.prepare("select source from tally").all()).map((row) => readText(row, "source"));
}
