// The storage of a browser in a runtime that is none.

import { createDurableClient } from "@postrider/client/durable";
import { createIndexedDbCallStorage } from "@postrider/client/indexeddb";
import { expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { answer, ENDPOINT } from "./rig.js";

it("Without IndexedDB, the storage of a browser rejects with a code of the port, and its client sends from memory", async () => {
  const storage = createIndexedDbCallStorage({ name: WRITE_KEY, maxCalls: 3 });
  expect(storage.maxCalls).toBe(3);
  const call = { messageId: "m1", type: "track", json: "{}" } as const;
  await expect(storage.load({ limit: 1 })).rejects.toMatchObject({ code: "unavailable" });
  await expect(storage.change({ keep: [call], drop: [] })).rejects.toMatchObject({ code: "unavailable" });
  const sent: string[] = [];
  const client = createDurableClient(WRITE_KEY, {
    endpoint: ENDPOINT,
    storage,
    flushAt: 1,
    onDelivered: ({ messageId }) => sent.push(messageId),
    transport: () => Promise.resolve(answer(200)),
  });
  const made = client.track({ userId: "u1", event: "e" });
  expect(await client.kept()).toBe(false);
  await expect.poll(() => sent).toHaveLength(1);
  expect(made).toEqual({ kind: "ok", messageId: sent[0] });
  await client.close();
  await storage.close();
});
