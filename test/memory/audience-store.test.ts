// The memory store fulfils the contract of the audience port, and has bounds.

import type { StoredRecord } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { audienceStoreContract } from "@postrider/testkit/contracts";
import { describe, expect, it } from "vitest";
import { openAudiencesBehindGate } from "../contracts/broken/gated-audiences.js";

function audience(key: string, revision: number): StoredRecord {
  return { kind: "audience", key, revision, text: "{}" };
}

describe("the memory store of audiences", () => {
  const disk = createMemoryDisk();
  const cases = audienceStoreContract({
    open: () => Promise.resolve(createMemoryAudienceStore({ disk })),
    openCramped: () => Promise.resolve(createMemoryAudienceStore({ disk, bounds: { maxMembers: 1_000 } })),
    supports: { restart: true, sharing: true, full: true },
  });
  for (const { name, run } of cases) it(name, run);

  const gated = createMemoryDisk();
  const behindGate = audienceStoreContract({
    open: () => Promise.resolve(createMemoryAudienceStore({ disk: gated })),
    openGated: (gate) => openAudiencesBehindGate(gated, gate),
    openCramped: () => Promise.resolve(createMemoryAudienceStore({ disk: gated, bounds: { maxMembers: 1_000 } })),
    supports: { restart: true, sharing: true, full: true, interleaving: true, faults: true },
  });
  for (const { name, run } of behindGate) it(`behind a gate: ${name}`, run);

  it("rejects with `full` one audience too many, and still replaces those that it has", async () => {
    const store = createMemoryAudienceStore({ disk: createMemoryDisk(), bounds: { maxAudiences: 1 } });
    await store.records.put(audience("one", 1));
    await expect(store.records.put(audience("two", 1))).rejects.toMatchObject({ code: "full" });
    expect(await store.records.put(audience("one", 1))).toBe(false);
    expect(await store.records.put(audience("one", 2))).toBe(true);
  });

  it("has space again after a drop", async () => {
    const store = createMemoryAudienceStore({ disk: createMemoryDisk(), bounds: { maxMembers: 2 } });
    await store.append("one", [{ userId: "a" }, { userId: "b" }]);
    await expect(store.append("two", [{ userId: "a" }])).rejects.toMatchObject({ code: "full" });
    expect(await store.drop("one")).toBe(true);
    await store.append("two", [{ userId: "a" }]);
  });

  it("is on one disk with deliveries, and neither affects the other", async () => {
    const both = createMemoryDisk();
    await createMemoryAudienceStore({ disk: both }).append("one", [{ userId: "a" }]);
    expect(await createMemoryStore({ disk: both }).counts()).toEqual([]);
    expect(await createMemoryAudienceStore({ disk: both }).sets("")).toEqual(["one"]);
  });

  it("rejects everything with `unavailable` once it is closed; its disk is unchanged", async () => {
    const disk = createMemoryDisk();
    const store = createMemoryAudienceStore({ disk });
    await store.append("one", [{ userId: "a" }]);
    await store.close();
    await expect(store.read("one")).rejects.toMatchObject({ code: "unavailable" });
    expect(await createMemoryAudienceStore({ disk }).read("one")).toEqual([{ userId: "a" }]);
  });
});
