import { mkdtempSync } from "node:fs";
import type { EpochMs } from "@postrider/core";
import { deliveryStoreContract } from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { openJournalStore } from "./journal-store.js";

describe("our store keeps the contract", () => {
  const path = `${mkdtempSync("journal-")}/journal`;
  let now = 1_767_225_600_000;
  const cases = deliveryStoreContract({
    open: () => openJournalStore(path),
    now: () => now as EpochMs,
    advance: async (ms) => void (now += ms),
    supports: { restart: true, days: true, sharing: { reason: "one process per journal" } },
  });
  for (const { name, run } of cases) it(name, run);
});
