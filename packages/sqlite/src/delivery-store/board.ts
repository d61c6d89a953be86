// The board of a SQLite delivery store that several processes have open: the record of a lane is JSON, with a checksum. A cursor is
// the number of the last change that was returned; each change has the next one, since a file has one writer at a time.

import { type BoardNews, type BoardRow, createStoreError, type LaneBoard, processId } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import {
  textsSum,
  readNumber,
  readPlainText,
  readRow,
  readRows,
  readSingleRow,
  readText,
  type Row,
  toText,
} from "../rows/rows.js";
import type { Write } from "./transaction.js";

export type BoardStatements = ReturnType<typeof prepareBoard>;

export const SELECT_CHANGED =
  "select lane, record, changed, checksum from board_row where changed > ? order by changed limit ?";
export const SELECT_LAST_CHANGE = "select coalesce(max(changed), 0) as last from board_row";

export function prepareBoard(database: SqliteDatabase) {
  const announce = database.prepare(
    "insert into board_process values (?, ?, ?) on conflict do update set share = excluded.share, seen_at = excluded.seen_at",
  );
  const removeDead = database.prepare("delete from board_process where abs(seen_at - ?) > ?");
  const remove = database.prepare("delete from board_process where process = ?");
  const living = database.prepare("select process, share from board_process");
  const selectChanged = database.prepare(SELECT_CHANGED);
  const selectLastChange = database.prepare(SELECT_LAST_CHANGE);
  const find = database.prepare("select lane, record, changed, checksum from board_row where lane = ?");
  const upsert = database.prepare(
    "insert into board_row values (?, ?, ?, ?) on conflict do update set record = excluded.record, changed = excluded.changed, checksum = excluded.checksum",
  );
  const lastChange = (): number => readNumber(readSingleRow(selectLastChange.get()), "last");

  function news(since: number, limit: number): Pick<BoardNews, "rows" | "next" | "more"> {
    const rows = readRows(selectChanged.all(since, limit + 1));
    const page = rows.slice(0, limit);
    const more = page.length < rows.length;
    const lastRow = page.at(-1);
    const until = lastRow === undefined ? since : readNumber(lastRow, "changed");
    return { rows: page.map(readBoardRow), next: String(more ? until : lastChange()), more };
  }

  return {
    beat: ({ process, share, liveForMs, since, limit }: Parameters<LaneBoard["beat"]>[0], now: number): BoardNews => {
      announce.run(toText(process), String(share), now);
      removeDead.run(now, liveForMs);
      const processes = readRows(living.all()).map((row) => ({
        process: processId(readText(row, "process")),
        share: readShare(row),
      }));
      return { processes, ...news(Number(since ?? 0), limit) };
    },
    write: (rows: readonly BoardRow[]): readonly BoardRow[] =>
      rows.flatMap((row) => {
        const lane = toText(row.lane);
        const storedRow = readRow(find.get(lane));
        const existing = storedRow && readBoardRow(storedRow);
        if (row.revision !== (existing?.revision ?? 0) + 1) return existing === undefined ? [] : [existing];
        const record = JSON.stringify(row);
        upsert.run(lane, record, lastChange() + 1, textsSum([lane, record]));
        return [];
      }),
    leave: (process: Parameters<LaneBoard["leave"]>[0]): void => void remove.run(toText(process)),
  };
}

function readShare(row: Row): number {
  const share = Number(readPlainText(row, "share"));
  if (!Number.isFinite(share)) throw createStoreError("corrupt", "SQLite: the share of a process is no number");
  return share;
}

/** JSON keeps every text and every number, since it escapes lone surrogates. */
function readBoardRow(row: Row): BoardRow {
  const lane = readPlainText(row, "lane");
  const record = readPlainText(row, "record");
  if (readNumber(row, "checksum") !== textsSum([lane, record]))
    throw createStoreError("corrupt", "SQLite: a row of the board is not what was stored");
  return JSON.parse(record) as BoardRow;
}

export function createSqliteBoard(statements: BoardStatements, write: Write): LaneBoard {
  return {
    beat: (request, now) => write(() => statements.beat(request, now)),
    write: (rows) => write(() => statements.write(rows)),
    leave: (process) =>
      write(() => {
        statements.leave(process);
      }),
  };
}
