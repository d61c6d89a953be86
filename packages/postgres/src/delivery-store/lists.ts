// Pages: of deliveries, newest first, of lanes, and of lanes that have changed. A page of deliveries looks at a bounded number of
// messages, and may so be short. A mark of changes is a snapshot of the database: `since`, or `since/until/after` between the pages of
// one answer.

import {
  type DeliveryPage,
  type ListQuery,
  type DeliverySummary,
  destinationId,
  epochMs,
  sourceId,
  type ChangedLanes,
  type LaneChanges,
  laneMark,
  type LaneRow,
  type EpochMs,
  type LanePage,
  type LanePageRequest,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { int2Array, textArray, toLimit, placeholders } from "../wire/values.js";
import { hashKeyOf, encodeAnyText } from "../wire/text.js";
import {
  readDigits,
  readOptionalNumber,
  type TextRow,
  readOptionalText,
  readAnyText,
  readPlain,
} from "../wire/read-row.js";
import {
  type DeliveryPlace,
  NOWHERE,
  placeOf,
  reasonCode,
  codeOfState,
  typeCode,
  idAtPlace,
  readReason,
  stateOfCode,
  readType,
} from "./codes.js";
import type { Functions } from "./functions.js";

/** The number of messages that one page looks at. */
const WINDOW = 2_000;

const PLACES: string = placeholders(16);

/** Before the newest delivery. */
const NEWEST: DeliveryPlace = { id: Number.MAX_SAFE_INTEGER, place: 0 };

/** Shows a page of deliveries. Its cursor is behind the last message that was looked at. */
export async function list(store: Functions, query: ListQuery): Promise<DeliveryPage> {
  const { limit, after } = query;
  const from = after === undefined ? NEWEST : placeOf(after);
  if (from === NOWHERE || limit === 0) return { deliveries: [] };
  const rows = await ask(store, query, from);
  const matches = rows.filter((row) => row["id"] !== null);
  const deliveries = matches.slice(0, limit).map((row) => summariseRow(row, readDigits(row, "id")));
  const last = deliveries.at(-1);
  if (matches.length > limit && last !== undefined) return { deliveries, next: last.id };
  const lookedTo = readOptionalNumber(rows.at(-1) ?? {}, "more_before");
  return lookedTo === undefined ? { deliveries } : { deliveries, next: `${String(lookedTo)}-0` };
}

function ask(
  { connection, schema, bucket }: Functions,
  query: ListQuery,
  from: DeliveryPlace,
): Promise<readonly TextRow[]> {
  const { states, reason, details, source, destination, type, messageId, userId } = query;
  return connection.brief(`select * from ${schema}.list(${PLACES})`, [
    ...[bucket, from.id, from.place, windowOf(query), toLimit(query.limit) + 1],
    ...[
      states === undefined ? null : int2Array(states.map(codeOfState)),
      reason === undefined ? null : reasonCode(reason),
    ],
    ...[details === undefined ? null : textArray(details), textOrNull(source), textOrNull(destination)],
    ...[
      type === undefined ? null : typeCode(type),
      textOrNull(messageId),
      userId === undefined ? null : hashKeyOf(userId),
    ],
    ...[query.acceptedSince ?? null, query.acceptedBefore ?? null, query.notReplayed === true],
  ]);
}

/** Without conditions each message that is looked at has a delivery to show, but perhaps that of the cursor. */
function windowOf({ limit, after: _, ...conditions }: ListQuery): number {
  const values: readonly unknown[] = Object.values(conditions);
  return values.every((one) => one === undefined) ? Math.min(WINDOW, limit + 2) : WINDOW;
}

function textOrNull(text: string | undefined): Buffer | null {
  return text === undefined ? null : encodeAnyText(text);
}

/** The summary of a row; `id` is the number of its message. */
export function summariseRow(row: TextRow, id: number): DeliverySummary {
  const [reason, dueAt, replayOf] = ["reason", "due_at", "replay_of"].map((name) => readOptionalNumber(row, name));
  return {
    id: idAtPlace({ id, place: readDigits(row, "place") }),
    state: stateOfCode(readDigits(row, "state")),
    source: sourceId(readAnyText(row, "source")),
    destination: destinationId(readAnyText(row, "lane")),
    type: readType(readDigits(row, "type")),
    messageId: readAnyText(row, "message_id"),
    acceptedAt: epochMs(readDigits(row, "accepted_at")),
    attemptCount: readDigits(row, "attempt_count"),
    ...defined({
      reason: reason === undefined ? undefined : readReason(reason),
      detail: readOptionalText(row, "detail"),
      dueAt: dueAt === undefined ? undefined : epochMs(dueAt),
      replayOf:
        replayOf === undefined ? undefined : idAtPlace({ id: replayOf, place: readDigits(row, "replay_of_place") }),
    }),
  };
}

/** Shows a page of lanes. */
export async function lanes(
  { connection, lows, schema, bucket, timeFor }: Functions,
  { after, limit }: LanePageRequest,
  now: EpochMs,
): Promise<LanePage> {
  const from = after === undefined ? null : encodeAnyText(after);
  const rows = await connection.ask(`select * from ${schema}.lanes($1, $2, $3, $4, $5, $6, $7)`, [
    ...[bucket, timeFor(now), from, toLimit(limit) + 1],
    ...lows.all(),
  ]);
  return { lanes: rows.slice(0, limit).map(readLaneRow), more: rows.length > limit };
}

const NOW: Cursor = {};

/** The start of the server, and the number of a transaction; then that of the mark of the answer, and that of a lane. */
const CURSOR = /^(?<since>\d{1,15}-\d{1,18})(?:\/(?<until>\d{1,18})\/(?<last>\d{1,10}))?$/u;

/** Before the number of each lane. */
const FIRST = "0";

interface Cursor {
  readonly since?: string;
  readonly until?: string;
  readonly last?: string;
}

/** The changes of lanes in the database. */
export function createPostgresLaneChanges({ connection, lows, schema, bucket }: Functions): LaneChanges {
  return {
    read: async ({ after, limit }): Promise<ChangedLanes | undefined> => {
      const cursor = after === undefined ? NOW : CURSOR.exec(after)?.groups;
      if (cursor === undefined) return undefined;
      const { since = null, until = null, last = FIRST } = cursor;
      const call = `select * from ${schema}.lane_changes($1, $2, $3, $4, $5, $6, $7, $8)`;
      const rows = await connection.ask(call, [bucket, since, until, last, toLimit(limit), ...lows.all()]);
      const end = rows.at(-1);
      return end && readPage(rows.slice(0, -1), end, readPlain(end, "last"), since);
    },
  };
}

function readPage(rows: readonly TextRow[], end: TextRow, last: string, since: string | null): ChangedLanes {
  const until = readPlain(end, "until");
  const hasMore = last !== "" && since !== null;
  return {
    lanes: rows.filter((row) => readDigits(row, "deliveries") > 0).map(readLaneRow),
    emptied: rows.filter((row) => readDigits(row, "deliveries") === 0).map(nameOf),
    mark: laneMark(hasMore ? `${since}/${until.split("-")[1] ?? ""}/${last}` : until),
    more: hasMore,
  };
}

function nameOf(row: TextRow): LaneRow["lane"] {
  return destinationId(readAnyText(row, "name"));
}

/** A row of lanes. */
export function readLaneRow(row: TextRow): LaneRow {
  const firstAttemptAt = readOptionalNumber(row, "first_at");
  return {
    lane: nameOf(row),
    deliveries: readDigits(row, "deliveries"),
    bytes: readDigits(row, "bytes"),
    nextDueAt: epochMs(readDigits(row, "next_due_at")),
    ...defined({ firstAttemptAt: firstAttemptAt === undefined ? undefined : epochMs(firstAttemptAt) }),
  };
}
