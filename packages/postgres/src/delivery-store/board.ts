// The board of a store: the record of a lane is JSON beside its revision. A cursor is the snapshot before which all is told; within a
// page also that at which its pages end, and the last lane told.

import { type BoardNews, type BoardRow, createStoreError, type LaneBoard, processId } from "@postrider/core";
import { int8Array, keyArray, textArray } from "../wire/arrays.js";
import { hashKeyOf, hashTextOf } from "../wire/key.js";
import { toLimit } from "../wire/limit.js";
import { placeholders } from "../wire/placeholders.js";
import { readAnyText, readBytes, readPlain, type TextRow } from "../wire/read-row.js";
import { encodeAnyText } from "../wire/text.js";
import type { Functions } from "./commit.js";

/** The board of a store. */
export function createPostgresBoard({ connection, schema, timeFor }: Functions): LaneBoard {
  return {
    beat: async ({ process, share, liveForMs, since, limit }, now): Promise<BoardNews> => {
      const cursor = readCursor(since);
      const most = toLimit(limit);
      const rows = await connection.ask(`select * from ${schema}.beat(${placeholders(9)})`, [
        ...[timeFor(now), hashKeyOf(process), encodeAnyText(process), share, liveForMs],
        ...[cursor.since, cursor.until, cursor.after, most + 1],
      ]);
      const living = rows.filter(({ name }) => name !== null);
      const processes = living.map((row) => ({ process: processId(readAnyText(row, "name")), share: readShare(row) }));
      return { processes, ...readPage(rows, cursor, most) };
    },
    write: async (rows) => {
      const keyed = rows.map((row) => ({ key: hashTextOf(row.lane), row }));
      keyed.sort((one, other) => (one.key < other.key ? -1 : 1));
      const stored = await connection.ask(`select * from ${schema}.write_board($1, $2, $3)`, [
        keyArray(keyed.map(({ key }) => key)),
        int8Array(keyed.map(({ row }) => row.revision)),
        textArray(keyed.map(({ row }) => JSON.stringify(row))),
      ]);
      return stored.map(readBoardRow);
    },
    leave: async (process): Promise<void> => {
      await connection.ask(`delete from ${schema}.board_process where key = $1::uuid`, [hashKeyOf(process)]);
    },
  };
}

/** Which changes are still to be told. */
interface Cursor {
  readonly since: string | null;
  readonly until: string | null;
  readonly after: string | null;
}

/** `since`, or `since/until/after` between the pages of one answer; `since` is empty before the first of them has ended. */
function readCursor(text = ""): Cursor {
  const [since = "", until = "", after = ""] = text.split("/");
  return { since: since || null, until: until || null, after: after || null };
}

/** After the last of several pages there may be more: what has changed while they were read. */
function readPage(rows: readonly TextRow[], cursor: Cursor, most: number): Pick<BoardNews, "rows" | "next" | "more"> {
  const told = rows.filter(({ record }) => record !== null);
  const page = told.slice(0, most);
  const isCut = page.length < told.length;
  const until = readPlain(rows.at(-1) ?? {}, "until");
  const next = isCut
    ? [cursor.since ?? "", until, readPlain(page.at(-1) ?? {}, "key") || (cursor.after ?? "")].join("/")
    : until;
  return { rows: page.map(readBoardRow), next, more: isCut || cursor.until !== null };
}

/** JSON keeps every text and every number, since it escapes lone surrogates. */
function readBoardRow(row: TextRow): BoardRow {
  return JSON.parse(readBytes(row, "record").toString("utf8")) as BoardRow;
}

function readShare(row: TextRow): number {
  const share = Number(readPlain(row, "share"));
  if (!Number.isFinite(share)) throw createStoreError("corrupt", "PostgreSQL: the share of a process is no number");
  return share;
}
