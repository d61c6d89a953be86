// Memory stores without options: each on a disk that no other store has.

import type { Changes } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryStore } from "@postrider/memory";
import { expect, it } from "vitest";

it("a store without options is empty, and shares its contents with no other", async () => {
  const [one, other] = [createMemoryStore(), createMemoryStore()];
  const tally = [{ source: "website", refused: 1, suppressed: 0, shed: 0 }];
  const nothing = { accept: [], replay: [], settle: [], append: [], lease: { token: "t", leaseMs: 1 } };
  await one.commit({ ...nothing, tally } as unknown as Changes, 0 as never);
  expect([(await one.counts()).length, (await other.counts()).length]).toEqual([1, 0]);
});

it("an audience store without options is empty, and shares its sets with no other", async () => {
  const [one, other] = [createMemoryAudienceStore(), createMemoryAudienceStore({})];
  await one.append("set", [{ userId: "u1" }]);
  expect([await one.sets(""), await other.sets("")]).toEqual([["set"], []]);
});
