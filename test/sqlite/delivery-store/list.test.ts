// Pages of deliveries, in cases that only a store on a file has.

import { DEDUPE_WINDOW_MS } from "@postrider/core";
import { createSqliteStore } from "@postrider/sqlite";
import { expect, it } from "vitest";
import { changes, CRM, later, message, NOW } from "../changes.js";
import { newFile, openFile, openStore } from "../files.js";

const three = changes({ accept: [message("1"), message("2"), message("3")] });

it("a cursor of another store finds nothing, even if its row exists later", async () => {
  const store = openStore();
  await store.commit(three, NOW);
  expect((await store.list({ after: "before-3", limit: 9 })).deliveries).toHaveLength(2);
  expect((await store.list({ after: "before-4", limit: 9 })).deliveries).toEqual([]);
  expect((await store.list({ after: "before-9999999999999999", limit: 9 })).deliveries).toEqual([]);
  await store.close();
});

it("a list over several lanes and states is newest first, whatever their order in the file", async () => {
  const store = openStore();
  const lanes = [CRM, "a", "z", CRM, "a", "z", "z", "a"];
  const accept = lanes.map((destination, index) => {
    const start = index % 2 === 0 ? { kind: "waiting", dueAt: NOW } : { kind: "claimed" };
    return message(String(index), { deliveries: [{ destination, start } as never] });
  });
  await store.commit(changes({ accept }), NOW);
  const idsOf = async (query: object): Promise<readonly string[]> =>
    (await store.list({ limit: 2, ...query })).deliveries.map(({ id }) => id);
  expect(await idsOf({ states: ["waiting"] })).toEqual(["7", "5"]);
  expect(await idsOf({ states: ["waiting"], after: "before-5" })).toEqual(["3", "1"]);
  expect(await idsOf({ states: ["claimed"] })).toEqual(["8", "6"]);
  expect(await idsOf({ destination: "z" })).toEqual(["7", "6"]);
  await store.close();
});

it("a search without an index scans a bounded number of rows per page, and continues where it ended", async () => {
  const store = openStore();
  const accept = Array.from({ length: 45_000 }, (_, index) =>
    message(String(index), { type: index === 100 || index === 44_000 ? "page" : "track" }),
  );
  await store.commit(changes({ accept }), NOW);
  const pages: string[][] = [];
  let page = await store.list({ type: "page", limit: 10 });
  for (; page.next !== undefined; page = await store.list({ type: "page", limit: 10, after: page.next })) {
    pages.push(page.deliveries.map(({ id }) => id));
  }
  pages.push(page.deliveries.map(({ id }) => id));
  expect(pages).toEqual([["44001"], [], ["101"]]);
  expect((await store.list({ type: "page", states: ["waiting"], limit: 10 })).deliveries).toHaveLength(1);
  await store.close();
});

it("a recent message id is found at once with its replays, and an older one by a scan", async () => {
  const database = openFile(newFile());
  const store = createSqliteStore({ database });
  await store.commit(changes({ accept: [message("old"), message("kept")] }), NOW);
  await store.end({ lane: CRM, reason: "expired", limit: 9 }, NOW);
  const idsOf = async (messageId: string, some: object = {}): Promise<readonly string[]> =>
    (await store.list({ messageId, limit: 9, ...some })).deliveries.map(({ id }) => id);

  const day = later(DEDUPE_WINDOW_MS);
  const fanned = ["a", "b"].map((destination) => ({ destination, start: { kind: "waiting", dueAt: NOW } }) as never);
  for (let n = 0; n < 9; n += 1) await store.commit(changes({ accept: [message(`new ${String(n)}`)] }), day);
  await store.commit(changes({ accept: [message("fanned", { deliveries: fanned })] }), day);
  const again = { start: { kind: "waiting", dueAt: NOW } } as const;
  await store.commit(changes({ replay: [{ ...again, of: "1" as never }] }), day);
  expect((database.prepare("select min(last) as n from seen_id").get() as { n: number }).n).toBeGreaterThan(2);

  expect(await idsOf("kept")).toEqual(["2"]);
  expect(await idsOf("old")).toEqual(["14", "1"]);
  expect(await idsOf("old", { after: "before-14" })).toEqual(["1"]);
  expect(await idsOf("fanned")).toEqual(["13", "12"]);
  expect(await idsOf("fanned", { destination: "a" })).toEqual(["12"]);
  expect(await idsOf("fanned", { source: "other" })).toEqual([]);
  expect(await idsOf("new 8", { source: "web" })).toEqual(["11"]);
  await store.close();
});
