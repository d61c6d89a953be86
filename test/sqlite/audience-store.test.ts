// The SQLite store keeps every promise of the port of audiences, on real files.

import { createSqliteAudienceStore } from "@postrider/sqlite";
import { audienceStoreContract } from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { newFile, openFile } from "./files.js";

/** Enough for a few pages of members. */
const ROOM_PAGES = 40;

describe("the SQLite store of audiences", { timeout: 60_000 }, () => {
  const file = newFile();
  const cases = audienceStoreContract({
    open: () => Promise.resolve(createSqliteAudienceStore({ database: openFile(file) })),
    openCramped: () => {
      const database = openFile(file);
      const pages = Object.values(database.prepare("pragma page_count").get() as Record<string, number>)[0] ?? 0;
      database.exec(`pragma max_page_count = ${String(pages + ROOM_PAGES)}`);
      return Promise.resolve(createSqliteAudienceStore({ database }));
    },
    supports: { restart: true, sharing: true, full: true },
  });
  for (const { name, run } of cases) it(name, run);
});
