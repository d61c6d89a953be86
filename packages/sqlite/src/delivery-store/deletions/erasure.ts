// Says whether a delivery may still be handed out: not once its body is purged, nor while a request waits for its purge
// that names a user of its message and is younger than the delivery (decision: purging). Each transaction asks once
// whether there is such a request; whom it names is kept, since it may name thousands.

import type { SqliteDatabase, SqliteStatement } from "../../file/database.js";
import { readMaybeNumber, readNumber, readOnly, readRows, type Row } from "../../rows/read-row.js";
import {
  MESSAGE_USERS,
  covers,
  type ErasureRequest,
  prepareReadErasureRequest,
  readMessageUsers,
} from "./erasure-request.js";

/** What one transaction sees. */
export interface Erasure {
  /** A delivery of a message; `row` has `wiped` of that message. */
  isErased(delivery: number, message: number, row: Row): boolean;
  /** Whether a request that waits for its purge is about it. */
  isRequested(delivery: number, message: number): boolean;
}

/** Exported for the test that looks at its plan. */
export const UNPURGED = "select row from deletion where is_purged = 0 order by row";

export function prepareErasure(database: SqliteDatabase): () => Erasure {
  const unpurged = database.prepare(UNPURGED);
  const about = database.prepare(`select ${MESSAGE_USERS} from message m where m.id = ?`);
  const read = prepareReadErasureRequest(database);
  let known: ReadonlyMap<number, ErasureRequest> = new Map();

  /** Of the requests that wait for their purge now. */
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
    const users = readMessageUsers(readOnly(about.get(message)));
    return requests.some((request) => covers(request, delivery, users));
  }

  return {
    isRequested,
    isErased: (delivery, message, row) => readMaybeNumber(row, "wiped") !== undefined || isRequested(delivery, message),
  };
}
