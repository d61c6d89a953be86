import { mkdtempSync } from "node:fs";
import type { EpochMs } from "@postrider/core";
import { deliveryStoreContract, deliveryStoreModelContract } from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { openJournalStore } from "./journal-store.js";

describe("our store keeps the contract", () => {
  const onNewJournal = (path = `${mkdtempSync("journal-")}/journal`, clock = { now: 1_767_225_600_000 }) => ({
    // A process that dies ends its commands: those that wait are through before the journal is read.
    open: () => new Promise(setImmediate).then(() => openJournalStore(path)),
    now: () => clock.now as EpochMs,
    advance: async (ms: number) => void (clock.now += ms),
    supports: { restart: true, days: true, sharing: { reason: "one process per journal" } } as const,
  });
  for (const { name, run } of deliveryStoreContract(onNewJournal())) it(name, run, 300_000);
  for (const { name, run } of deliveryStoreModelContract(onNewJournal, { runs: 20 })) it(name, run, 300_000);
});
