// The pauses of a SQLite delivery store.

import { type DestinationId, destinationId, epochMs, type LanePause, type PauseStore } from "@postrider/core";
import type { StoreConnection } from "../file/connection.js";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readRows, readText } from "../rows/read-row.js";
import { toText } from "../rows/text.js";
import type { Write } from "./deletions/create-deletions.js";

export type PauseStatements = ReturnType<typeof preparePauses>;

export function preparePauses(database: SqliteDatabase) {
  const add = database.prepare("insert into lane_pause values (?, ?) on conflict do nothing");
  const remove = database.prepare("delete from lane_pause where lane = ?");
  const list = database.prepare("select lane, paused_at from lane_pause where lane > ? order by lane limit ?");
  return {
    add: (...[lane, now]: Parameters<PauseStore["add"]>): void => void add.run(toText(lane), now),
    remove: (lane: DestinationId): void => void remove.run(toText(lane)),
    list: ({ after, limit }: Parameters<PauseStore["list"]>[0]): readonly LanePause[] =>
      readRows(list.all(after === undefined ? "" : toText(after), limit)).map((row) => ({
        lane: destinationId(readText(row, "lane")),
        pausedAt: epochMs(readNumber(row, "paused_at")),
      })),
  };
}

export function createSqlitePauses(statements: PauseStatements, connection: StoreConnection, write: Write): PauseStore {
  return {
    add: (lane, now) =>
      write(() => {
        statements.add(lane, now);
      }),
    remove: (lane) =>
      write(() => {
        statements.remove(lane);
      }),
    list: (query) => connection.read(() => statements.list(query)),
  };
}
