// A slice of a purge that may examine nothing leaves all deliveries to the slices that follow.

import { type Body, deletionId, destinationId, epochMs, leaseToken, sourceId } from "@postrider/core";
import { expect, it } from "vitest";
import { openStore } from "../files.js";

it("a purge removes the bodies of its users, after a slice with a limit of 0 too", async () => {
  const store = openStore();
  const now = epochMs(1);
  const message = {
    ...{
      source: sourceId("web"),
      messageId: "1",
      type: "track" as const,
      receivedAt: now,
      userIds: ["ann"],
      filtered: [],
    },
    deliveries: [{ destination: destinationId("crm"), start: { kind: "waiting", dueAt: now } }],
    body: new Uint8Array([1]) as Body,
  } as const;
  const lease = { token: leaseToken("t"), leaseMs: 1_000 };
  const { accepted } = await store.commit(
    { accept: [message], settle: [], replay: [], append: [], tally: [], lease },
    now,
  );
  const [id] = accepted.flatMap((one) => (one.kind === "stored" ? one.deliveries : []));
  const deletion = deletionId("d");
  await store.deletions?.open({ id: deletion, regulation: "delete-only", userIds: ["ann"], sources: null }, now);
  expect(await store.deletions?.purge({ id: deletion, limit: 0 }, now)).toEqual({ isDone: false });
  expect(await store.deletions?.purge({ id: deletion, limit: 9 }, now)).toEqual({ isDone: true });
  expect(id === undefined ? undefined : (await store.find(id))?.body).toBeUndefined();
  expect((await store.deletions?.find(deletion))?.purged).toBe(1);
  await store.close();
});
