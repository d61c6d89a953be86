// The SQLite store fulfils the contract of the storage port, on real files.

import type { DeliveryStore } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import { createSqliteStore } from "@postrider/sqlite";
import {
  deliveryStoreContract,
  type DeliveryStoreHarness,
  deliveryStoreModelContract,
} from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { damagedCopy, failingDatabase } from "./failing-database.js";
import { newFile, openFile, openStore } from "./files.js";

/** A file is checked whole each time it is opened, so one for all cases would cost more with each of them. */
const CASES_PER_FILE = 16;

describe("the SQLite store", () => {
  let cases = deliveryStoreContract(onNewFile());
  for (let index = 0; index < cases.length; index += 1) {
    if (index % CASES_PER_FILE === 0) cases = deliveryStoreContract(onNewFile());
    const { name, run } = cases[index]!;
    it(name, run);
  }
  for (const { name, run } of deliveryStoreModelContract(onNewFile, { runs: 25 })) it(name, run);
});

function openShared(file: string): DeliveryStore {
  return createSqliteStore({ database: openFile(file), shared: true });
}

/** Enough for a few hundred messages of 1 KiB, so that a larger commit has written much when it fails. */
const ROOM_PAGES = 200;

function onNewFile(): DeliveryStoreHarness {
  const file = newFile();
  const clock = createManualClock();
  let damages = 0;
  return {
    open: () => Promise.resolve(openShared(file)),
    openCramped: () => {
      const database = openFile(file);
      const pages = Object.values(database.prepare("pragma page_count").get() as Record<string, number>)[0] ?? 0;
      database.exec(`pragma max_page_count = ${String(pages + ROOM_PAGES)}`);
      return Promise.resolve(createSqliteStore({ database, shared: true }));
    },
    openGated: (gate) =>
      Promise.resolve(createSqliteStore({ database: failingDatabase(openFile(file), gate), shared: true })),
    openDamaged: () => {
      damages += 1;
      return Promise.resolve().then(() => openStore(damagedCopy(file, damages)));
    },
    now: () => clock.wall(),
    advance: (ms) => clock.advance(ms),
    supports: {
      ...{
        restart: true,
        sharing: true,
        days: true,
        full: true,
        deletions: true,
        records: true,
        board: true,
        traceparents: true,
        faults: true,
        damage: true,
      },
      interleaving: { reason: "each call is one synchronous transaction" },
      settlingWhenFull: { reason: "a settlement writes, and a full disk takes no write" },
    },
  };
}
