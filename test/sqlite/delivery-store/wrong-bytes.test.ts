// A message or a delivery whose bytes a disk has changed is not claimed for sending.

import type { DeliveryId } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { changes, CRM, LEASE, message, NOW, stored } from "../changes.js";
import { newFile, openFile, openStore } from "../files.js";

const corrupt: unknown = expect.objectContaining({ code: "corrupt" });
const ERP = "erp" as never;

/** A file with two messages to each of two lanes, changed by `sql` without the store. */
async function tampered(sql: string, prepare?: (file: string) => Promise<void>): Promise<string> {
  const file = newFile();
  const store = openStore(file);
  const deliveries = [CRM, ERP].map((destination) => ({
    destination,
    start: { kind: "waiting", dueAt: NOW } as const,
  }));
  await store.commit(changes({ accept: [message("1", { deliveries }), message("2", { deliveries })] }), NOW);
  await store.close();
  await prepare?.(file);
  const database = openFile(file);
  database.exec(sql);
  database.close();
  return file;
}

const CHANGES: readonly (readonly [string, string])[] = [
  ["a byte of the body", 'update message set body = cast(\'{"messageId":"3"}\' as blob) where id = 1'],
  ["the length of the body", "update message set body = substr(body, 1, 5) where id = 1"],
  ["the body to nothing", "update message set body = null where id = 1"],
  ["the source", "update message set source = 'wec' where id = 1"],
  ["the message id", "update message set message_id = '9' where id = 1"],
  ["the type", "update message set type = 'page' where id = 1"],
  ["the message to another's", "update delivery set message = 2 where id = 1"],
  ["the messages for each other", "update delivery set message = 3 - message"],
  ["the message to none", "update delivery set message = 77 where id = 1"],
  ["the lane", "update delivery set lane = 'crm' where id = 2"],
  ["the delivery's id", "update delivery set id = 77 where id = 1"],
  ["the checksum", "update delivery set checksum = checksum + 1 where id = 1"],
  ["the escapes of a text", "update message set source = 'w\\x' where id = 1"],
];

describe("a file in which a broken disk changed", () => {
  it.each(CHANGES)("%s returns nothing, also on later requests", async (_, sql) => {
    const store = openStore(await tampered(sql));
    await expect(store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 9 }] }, NOW)).rejects.toEqual(corrupt);
    await expect(store.counts()).rejects.toEqual(corrupt);
    await store.close();
  });

  it("a body shows nothing of that delivery", async () => {
    const store = openStore(await tampered("update message set body = cast('x' as blob) where id = 1"));
    expect(await store.find("3" as DeliveryId)).toMatchObject({ messageId: "2" });
    await expect(store.find("1" as DeliveryId)).rejects.toEqual(corrupt);
    await store.close();
  });

  it("a body stays damaged when it is replayed", async () => {
    const finish = async (file: string): Promise<void> => {
      const store = openStore(file);
      await store.end({ lane: CRM, reason: "expired", limit: 9 }, NOW);
      await store.close();
    };
    const store = openStore(await tampered("update message set body = cast('x' as blob) where id = 1", finish));
    const replay = [{ of: "1" as DeliveryId, start: { kind: "waiting", dueAt: NOW } as const }];
    await expect(store.commit(changes({ replay }), NOW)).rejects.toEqual(corrupt);
    await store.close();
  });
});

it("a body that is missing without having been purged is not shown as purged", async () => {
  const store = openStore(await tampered("update message set body = null where id = 1"));
  await expect(store.find("1" as DeliveryId)).rejects.toEqual(corrupt);
  await store.close();
});

it("a replay, and a replay of that, have separate checksums", async () => {
  const store = openStore();
  let [id] = stored(await store.commit(changes({ accept: [message("1")] }), NOW));
  for (let replays = 0; replays < 2; replays += 1) {
    await store.end({ lane: CRM, reason: "expired", limit: 9 }, NOW);
    const replay = [{ of: id!, start: { kind: "waiting", dueAt: NOW } as const }];
    [id] = (await store.commit(changes({ replay }), NOW)).replayed;
  }
  const { deliveries } = await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 9 }] }, NOW);
  expect(deliveries).toMatchObject([{ id: "3", messageId: "1" }]);
  await store.close();
});

it("an id that was assigned is not assigned again, even if the file names a wrong last one", async () => {
  const store = openStore(await tampered("update sqlite_sequence set seq = 1 where name = 'delivery'"));
  await expect(store.commit(changes({ accept: [message("5")] }), NOW)).rejects.toEqual(corrupt);
  await store.close();
});
