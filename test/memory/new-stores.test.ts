// Memory stores without options: each on a disk that no other store has. Transactions of hosts on such a disk.

import type { Changes } from "@postrider/core";
import {
  beginMemoryTransaction,
  createMemoryAudienceStore,
  createMemoryDisk,
  createMemoryStore,
} from "@postrider/memory";
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

it("With no option, a store has no outbox and no hints", () => {
  const { outbox, hints } = createMemoryStore({ shared: true });
  expect([outbox, hints]).toEqual([undefined, undefined]);
});

it("With a statement of the host, or after its end, a transaction on a disk rejects and adds nothing", async () => {
  const disk = createMemoryDisk();
  const { outbox } = createMemoryStore({ disk, outbox: true });
  const { run, commit } = beginMemoryTransaction(disk);
  await expect(run("insert into orders (id) values ($1)", ["1"])).rejects.toThrow("has no statement but");
  await commit();
  await expect(outbox?.add({ source: "shop" as never, call: "{}" }, run)).rejects.toThrow("has ended");
  expect(await outbox?.read({ limit: 9 })).toEqual([]);
});
