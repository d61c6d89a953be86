// Sees to it that what is committed goes to the file that is there. Whoever moves, replaces or removes an open file, or
// its log, leaves us writing to one that nobody will find again; so after each commit both are looked at, before anyone
// is told that it succeeded.

import type { SqliteDatabase } from "@postrider/sqlite";
import { statSync } from "node:fs";

/** The same database, which fails for good as `corrupt` once `file` or its log is not the one that was opened. */
export function watchDatabase(database: SqliteDatabase, file: string): SqliteDatabase {
  const opened = new Map<string, string>();

  function requireInPlace(path: string): void {
    const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? NOWHERE;
    const place = `${String(dev)}:${String(ino)}`;
    const before = opened.get(path) ?? place;
    opened.set(path, before);
    if (place === before && ino !== NOWHERE.ino) return;
    throw Object.assign(new Error(`${path} has been moved, replaced or removed while it was open`), {
      code: "corrupt" as const,
    });
  }

  return {
    exec: (sql) => {
      const answer = database.exec(sql);
      if (sql === "commit") for (const path of [file, `${file}-wal`]) requireInPlace(path);
      return answer;
    },
    prepare: (sql) => database.prepare(sql),
    close: () => database.close(),
  };
}

const NOWHERE = { dev: 0, ino: 0 };
