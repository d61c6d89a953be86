// Pages: of deliveries, newest first, of lanes, and of lanes that have changed. A page of deliveries looks at a bounded number of
// messages, and may therefore be short. A mark of changes is a snapshot of the database: `since`, or `since/until/last` between the pages
// of one answer.

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
  readOptionalDigits,
  type TextRow,
  readOptionalBytesText,
  readBytesText,
  readTextOrEmpty,
} from "../wire/read-row.js";
import {
  type DeliveryPlace,
  NOWHERE,
  placeOf,
  codeOfReason,
  codeOfState,
  codeOfType,
  idAtPlace,
  reasonOfCode,
  stateOfCode,
  typeOfCode,
} from "./codes.js";
import type { Functions } from "./functions.js";

/** The most messages that one page looks at. */
const PAGE_MESSAGES = 2_000;

const PARAMETERS: string = placeholders(16);

/** The start of the first page, before the newest delivery. */
const NEWEST: DeliveryPlace = { id: Number.MAX_SAFE_INTEGER, place: 0 };

/** Shows a page of deliveries. The next page starts behind its last delivery, or behind the last message looked at if all matches fit. */
export async function list(store: Functions, query: ListQuery): Promise<DeliveryPage> {
  const { limit, after } = query;
  const from = after === undefined ? NEWEST : placeOf(after);
  if (from === NOWHERE || limit === 0) return { deliveries: [] };
  const rows = await askForPage(store, query, from);
  const matches = rows.filter((row) => row["id"] !== null);
  const deliveries = matches.slice(0, limit).map((row) => summariseRow(row, readDigits(row, "id")));
  const lastDelivery = deliveries.at(-1);
  if (matches.length > limit && lastDelivery !== undefined) return { deliveries, next: lastDelivery.id };
  const moreBefore = readOptionalDigits(rows.at(-1) ?? {}, "more_before");
  return moreBefore === undefined ? { deliveries } : { deliveries, next: `${String(moreBefore)}-0` };
}

function askForPage(
  { connection, schema, bucket }: Functions,
  query: ListQuery,
  from: DeliveryPlace,
): Promise<readonly TextRow[]> {
  const { states, reason, details, source, destination, type, messageId, userId } = query;
  return connection.brief(`select * from ${schema}.list(${PARAMETERS})`, [
    bucket,
    from.id,
    from.place,
    messagesToLookAt(query),
    toLimit(query.limit) + 1,
    states === undefined ? null : int2Array(states.map(codeOfState)),
    reason === undefined ? null : codeOfReason(reason),
    details === undefined ? null : textArray(details),
    textOrNull(source),
    textOrNull(destination),
    type === undefined ? null : codeOfType(type),
    textOrNull(messageId),
    userId === undefined ? null : hashKeyOf(userId),
    query.acceptedSince ?? null,
    query.acceptedBefore ?? null,
    query.notReplayed === true,
  ]);
}

/** Without conditions, each message has a delivery to show, except perhaps that of the cursor: there is no need to look at more. */
function messagesToLookAt({ limit, after: _, ...conditions }: ListQuery): number {
  const values: readonly unknown[] = Object.values(conditions);
  return values.every((value) => value === undefined) ? Math.min(PAGE_MESSAGES, limit + 2) : PAGE_MESSAGES;
}

function textOrNull(text: string | undefined): Buffer | null {
  return text === undefined ? null : encodeAnyText(text);
}

/** The summary of a row; `id` is the number of its message. */
export function summariseRow(row: TextRow, id: number): DeliverySummary {
  const reason = readOptionalDigits(row, "reason");
  const dueAt = readOptionalDigits(row, "due_at");
  const replayOf = readOptionalDigits(row, "replay_of");
  return {
    id: idAtPlace({ id, place: readDigits(row, "place") }),
    state: stateOfCode(readDigits(row, "state")),
    source: sourceId(readBytesText(row, "source")),
    destination: destinationId(readBytesText(row, "lane")),
    type: typeOfCode(readDigits(row, "type")),
    messageId: readBytesText(row, "message_id"),
    acceptedAt: epochMs(readDigits(row, "accepted_at")),
    attemptCount: readDigits(row, "attempt_count"),
    ...defined({
      reason: reason === undefined ? undefined : reasonOfCode(reason),
      detail: readOptionalBytesText(row, "detail"),
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
    bucket,
    timeFor(now),
    from,
    toLimit(limit) + 1,
    ...lows.ofAllLanes(),
  ]);
  return { lanes: rows.slice(0, limit).map(readLaneRow), more: rows.length > limit };
}

/** Without a mark, the answer is the current mark alone. */
const NO_MARK: Cursor = {};

/** The start of the server and the number of a transaction; between pages also the number of the mark's transaction, and that of a lane. */
const CURSOR = /^(?<since>\d{1,15}-\d{1,18})(?:\/(?<until>\d{1,18})\/(?<last>\d{1,10}))?$/u;

/** A number before those of all lanes. */
const BEFORE_ALL = "0";

interface Cursor {
  readonly since?: string;
  readonly until?: string;
  readonly last?: string;
}

/** The changes of lanes in the database. */
export function createPostgresLaneChanges({ connection, lows, schema, bucket }: Functions): LaneChanges {
  return {
    read: async ({ after, limit }): Promise<ChangedLanes | undefined> => {
      const cursor = after === undefined ? NO_MARK : CURSOR.exec(after)?.groups;
      if (cursor === undefined) return undefined;
      const { since = null, until = null, last = BEFORE_ALL } = cursor;
      const call = `select * from ${schema}.lane_changes($1, $2, $3, $4, $5, $6, $7, $8)`;
      const rows = await connection.ask(call, [bucket, since, until, last, toLimit(limit), ...lows.ofAllLanes()]);
      const end = rows.at(-1);
      return end && readPage(rows.slice(0, -1), end, readTextOrEmpty(end, "last"), since);
    },
  };
}

function readPage(rows: readonly TextRow[], end: TextRow, last: string, since: string | null): ChangedLanes {
  const until = readTextOrEmpty(end, "until");
  const hasMore = last !== "" && since !== null;
  return {
    lanes: rows.filter((row) => readDigits(row, "deliveries") > 0).map(readLaneRow),
    emptied: rows.filter((row) => readDigits(row, "deliveries") === 0).map(laneOfRow),
    mark: laneMark(hasMore ? `${since}/${until.split("-")[1] ?? ""}/${last}` : until),
    more: hasMore,
  };
}

function laneOfRow(row: TextRow): LaneRow["lane"] {
  return destinationId(readBytesText(row, "name"));
}

/** A row of lanes. */
export function readLaneRow(row: TextRow): LaneRow {
  const firstAttemptAt = readOptionalDigits(row, "first_at");
  return {
    lane: laneOfRow(row),
    deliveries: readDigits(row, "deliveries"),
    bytes: readDigits(row, "bytes"),
    nextDueAt: epochMs(readDigits(row, "next_due_at")),
    ...defined({ firstAttemptAt: firstAttemptAt === undefined ? undefined : epochMs(firstAttemptAt) }),
  };
}
