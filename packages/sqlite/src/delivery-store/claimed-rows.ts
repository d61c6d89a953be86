// Reads the rows that are claimed under a token and are to be settled, all in one JSON text: reading each row by a
// separate driver call takes twice as long. Each row has the counted fields of its message, so no message is read.

import { type DeletionId, destinationId, type LeaseToken, sourceId } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import {
  readMaybeNumber,
  readMaybeText,
  readNumber,
  readSingleRow,
  readPlainText,
  readText,
  type Row,
} from "../rows/read-row.js";
import { toText } from "../rows/text.js";
import { CLAIMED } from "./codes.js";
import type { CountedFields } from "./counted.js";

export interface ClaimedRow {
  readonly counted: CountedFields;
  readonly message: number;
  readonly attemptCount: number;
  /** Whether states of the delivery's endpoints are stored. */
  readonly remembers: boolean;
  /** Whether the body has been purged. */
  readonly isWiped: boolean;
}

const COLUMNS = ["id", "source", "lane", "size", "deletion", "message", "attempt_count", "remembers"] as const;

/** Selects the claimed rows of a token. Exported for the test of its query plan. */
export const SELECT_CLAIMED_ROWS: string = `
  select json_group_array(json_array(${COLUMNS.join(", ")})) as rows from delivery
  where id in (select value from json_each(?)) and state = ${String(CLAIMED)} and token = ?`;

/** Returns a function that reads those of the given rows that are claimed under the token. */
export function prepareReadClaimedRows(
  database: SqliteDatabase,
): (rows: readonly number[], token: LeaseToken) => Map<number, ClaimedRow> {
  const read = database.prepare(SELECT_CLAIMED_ROWS);
  return (rows, token) => {
    const found = readPlainText(readSingleRow(read.get(JSON.stringify(rows), toText(token))), "rows");
    return new Map(
      (JSON.parse(found) as readonly unknown[][]).map(rowOf).map((row) => [readNumber(row, "id"), readClaimedRow(row)]),
    );
  };
}

/** Makes a row out of a JSON list of the values of `COLUMNS`. */
function rowOf(values: readonly unknown[]): Row {
  const [id, source, lane, size, deletion, message, attempts, remembers] = values;
  return { id, source, lane, size, deletion, message, attempt_count: attempts, remembers };
}

function readClaimedRow(row: Row): ClaimedRow {
  const size = readMaybeNumber(row, "size");
  return {
    counted: {
      source: sourceId(readText(row, "source")),
      lane: destinationId(readText(row, "lane")),
      size: size ?? 0,
      deletion: readMaybeText(row, "deletion") as DeletionId | undefined,
    },
    message: readNumber(row, "message"),
    attemptCount: readNumber(row, "attempt_count"),
    remembers: readNumber(row, "remembers") === 1,
    isWiped: size === undefined,
  };
}
