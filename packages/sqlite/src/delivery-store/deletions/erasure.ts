// Says whether a delivery may still be handed out: not once its body is purged, nor while a request waits for its purge
// that names a user of its message and is younger than the delivery (decision: purging). Each transaction asks once
// whether there is such a request; whom it names is kept, since it may name thousands.

import type { SqliteDatabase, SqliteStatement } from "../../file/database.js";
import { readMaybeNumber, readNumber, readOnly, readRows, type Row } from "../../rows/read-row.js";
import { ABOUT, isMeant, type Named, prepareNamed, readAbout } from "./erasure-request.js";

/** What one transaction sees. */
export interface Reach {
  /** A delivery of a message; `row` has `wiped` of that message. */
  isLost(delivery: number, message: number, row: Row): boolean;
  /** Whether a request that waits for its purge is about it. */
  isNamed(delivery: number, message: number): boolean;
}

/** Exported for the test that looks at its plan. */
export const UNPURGED = "select row from deletion where is_purged = 0 order by row";

export function prepareReach(database: SqliteDatabase): () => Reach {
  const unpurged = database.prepare(UNPURGED);
  const about = database.prepare(`select ${ABOUT} from message m where m.id = ?`);
  const read = prepareNamed(database);
  let known: ReadonlyMap<number, Named> = new Map();

  /** Of the requests that wait for their purge now. */
  function readAll(): readonly Named[] {
    const rows = readRows(unpurged.all()).map((row) => readNumber(row, "row"));
    if (rows.length === 0 && known.size === 0) return [];
    known = new Map(rows.flatMap((row) => entryOf(row, known.get(row) ?? read(row))));
    return [...known.values()];
  }

  return () => openReach(readAll, about);
}

function entryOf(row: number, named: Named | undefined): readonly (readonly [number, Named])[] {
  return named === undefined ? [] : [[row, named]];
}

function openReach(readAll: () => readonly Named[], about: SqliteStatement): Reach {
  let requests: readonly Named[] | undefined;

  function isNamed(delivery: number, message: number): boolean {
    requests ??= readAll();
    if (requests.every(({ upTo }) => delivery > upTo)) return false;
    const users = readAbout(readOnly(about.get(message)));
    return requests.some((request) => isMeant(request, delivery, users));
  }

  return {
    isNamed,
    isLost: (delivery, message, row) => readMaybeNumber(row, "wiped") !== undefined || isNamed(delivery, message),
  };
}
