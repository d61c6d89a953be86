// Decides whether a delivery must not be sent any more: its body has been purged, or a request that is not purged yet
// covers it (decision: purging). Each transaction reads the open requests once; their user ids are cached, since there
// may be thousands.

import type { SqliteDatabase, SqliteStatement } from "../../file/database.js";
import { readMaybeNumber, readNumber, readSingleRow, readRows, type Row } from "../../rows/read-row.js";
import {
  MESSAGE_USERS_COLUMNS,
  covers,
  type ErasureRequest,
  prepareReadErasureRequest,
  readMessageUsers,
} from "./erasure-request.js";

/** Decides for one transaction which deliveries must not be sent any more. */
export interface Erasure {
  /** Whether a delivery must not be sent any more. `row` has the column `wiped` of the delivery's message. */
  isErased(delivery: number, message: number, row: Row): boolean;
  /** Whether a request that is not purged yet covers the delivery. */
  isRequested(delivery: number, message: number): boolean;
}

/** Selects the requests that are not purged yet. Exported for the test of its query plan. */
export const SELECT_UNPURGED = "select row from deletion where is_purged = 0 order by row";

export function prepareErasure(database: SqliteDatabase): () => Erasure {
  const unpurged = database.prepare(SELECT_UNPURGED);
  const about = database.prepare(`select ${MESSAGE_USERS_COLUMNS} from message m where m.id = ?`);
  const read = prepareReadErasureRequest(database);
  let known: ReadonlyMap<number, ErasureRequest> = new Map();

  /** The requests that are not purged yet. */
  function readAll(): readonly ErasureRequest[] {
    const rows = readRows(unpurged.all()).map((row) => readNumber(row, "row"));
    if (rows.length === 0 && known.size === 0) return [];
    known = new Map(rows.flatMap((row) => entryOf(row, known.get(row) ?? read(row))));
    return [...known.values()];
  }

  return () => openErasure(readAll, about);
}

function entryOf(row: number, request: ErasureRequest | undefined): readonly (readonly [number, ErasureRequest])[] {
  return request === undefined ? [] : [[row, request]];
}

function openErasure(readAll: () => readonly ErasureRequest[], about: SqliteStatement): Erasure {
  let requests: readonly ErasureRequest[] | undefined;

  function isRequested(delivery: number, message: number): boolean {
    requests ??= readAll();
    if (requests.every(({ upTo }) => delivery > upTo)) return false;
    const users = readMessageUsers(readSingleRow(about.get(message)));
    return requests.some((request) => covers(request, delivery, users));
  }

  return {
    isRequested,
    isErased: (delivery, message, row) => readMaybeNumber(row, "wiped") !== undefined || isRequested(delivery, message),
  };
}
