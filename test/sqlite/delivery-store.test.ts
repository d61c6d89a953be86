// The SQLite store fulfils the contract of the storage port, on real files.

import { createManualClock } from "@postrider/memory";
import { createSqliteStore } from "@postrider/sqlite";
import {
  deliveryStoreContract,
  type DeliveryStoreHarness,
  deliveryStoreModelContract,
} from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { newFile, openFile, openStore } from "./files.js";

describe("the SQLite store", () => {
  for (const { name, run } of deliveryStoreContract(onNewFile())) it(name, run);
  for (const { name, run } of deliveryStoreModelContract(onNewFile, { runs: 25 })) it(name, run);
});

/** Enough for a few hundred messages of 1 KiB, so that a larger commit has written much when it fails. */
const ROOM_PAGES = 200;

function onNewFile(): DeliveryStoreHarness {
  const file = newFile();
  const clock = createManualClock();
  return {
    open: () => Promise.resolve(openStore(file)),
    openCramped: () => {
      const database = openFile(file);
      const pages = Object.values(database.prepare("pragma page_count").get() as Record<string, number>)[0] ?? 0;
      database.exec(`pragma max_page_count = ${String(pages + ROOM_PAGES)}`);
      return Promise.resolve(createSqliteStore({ database }));
    },
    now: () => clock.wall(),
    advance: (ms) => clock.advance(ms),
    supports: {
      ...{ restart: true, sharing: true, days: true, full: true, deletions: true },
      settlingWhenFull: { reason: "a settlement writes, and a full disk takes no write" },
    },
  };
}
