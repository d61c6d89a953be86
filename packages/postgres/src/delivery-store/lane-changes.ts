// Which lanes have changed, by a mark that is a snapshot of the database: `since`, or `since/until/after` between the pages of one answer.

import { type ChangedLanes, destinationId, epochMs, type LaneChanges, laneMark, type LaneRow } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { toLimit } from "../wire/limit.js";
import { readAnyText, readDigits, readOptionalNumber, readPlain, type TextRow } from "../wire/read-row.js";
import type { Functions } from "./commit.js";

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

interface Cursor {
  readonly since?: string;
  readonly until?: string;
  readonly last?: string;
}

const NOW: Cursor = {};
/** When the server was started, and the number of a transaction; then that of the mark of the answer, and that of a lane. */
const CURSOR = /^(?<since>\d{1,15}-\d{1,18})(?:\/(?<until>\d{1,18})\/(?<last>\d{1,10}))?$/u;
/** Before the number of each lane. */
const FIRST = "0";

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
