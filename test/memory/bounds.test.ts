import type {
  Body,
  Changes,
  DeletionId,
  DeliveryId,
  DestinationId,
  LeaseToken,
  NewMessage,
  SourceId,
} from "@postrider/core";
import {
  beginMemoryTransaction,
  type MemoryStoreBounds,
  createManualClock,
  createMemoryDisk,
  createMemoryStore,
} from "@postrider/memory";
import { describe, expect, it } from "vitest";

const clock = createManualClock();
const now = clock.wall();
const source = "site" as SourceId;
const destination = "crm" as DestinationId;
const lease = { token: "t" as LeaseToken, leaseMs: 1_000 };

function message(messageId: string, size = 10): NewMessage {
  const deliveries = [{ destination, start: { kind: "claimed" } }] as const;
  const body = new Uint8Array(size) as Body;
  return { source, messageId, type: "track", receivedAt: now, body, deliveries, filtered: [] };
}

function changes(given: Partial<Changes>): Changes {
  return { accept: [], replay: [], settle: [], append: [], tally: [], lease, ...given };
}

function storeWith(bounds: Partial<MemoryStoreBounds>) {
  return createMemoryStore({ disk: createMemoryDisk(), bounds });
}

describe("a memory store at its bound", () => {
  it("rejects a commit with one delivery too many with `full`, and stores nothing of it", async () => {
    const store = storeWith({ maxDeliveries: 2 });
    await store.commit(changes({ accept: [message("1")] }), now);
    const tally = [{ source, refused: 1, suppressed: 0, shed: 0 }];
    const tooMuch = store.commit(changes({ accept: [message("2"), message("3")], tally }), now);
    await expect(tooMuch).rejects.toMatchObject({ code: "full" });
    expect(await store.counts()).toMatchObject([{ accepted: 1, claimed: 1, refused: 0 }]);
    expect((await store.list({ limit: 10 })).deliveries).toHaveLength(1);
    const { accepted } = await store.commit(changes({ accept: [message("2")] }), now);
    expect(accepted).toMatchObject([{ kind: "stored" }]);
  });

  it("rejects a commit with one byte too many with `full`", async () => {
    const store = storeWith({ maxBytes: 25 });
    await store.commit(changes({ accept: [message("1"), message("2")] }), now);
    await expect(store.commit(changes({ accept: [message("3", 6)] }), now)).rejects.toMatchObject({ code: "full" });
    await store.commit(changes({ accept: [message("3", 5)] }), now);
  });

  it("counts the bytes of a message once, however many destinations it has", async () => {
    const store = storeWith({ maxBytes: 20 });
    const both = ["crm", "ads"].flatMap((id) =>
      message("1").deliveries.map((delivery) => ({ ...delivery, destination: id as DestinationId })),
    );
    await store.commit(changes({ accept: [{ ...message("1"), deliveries: both }] }), now);
    await store.commit(changes({ accept: [message("2")] }), now);
    await expect(store.commit(changes({ accept: [message("3", 1)] }), now)).rejects.toMatchObject({ code: "full" });
  });

  it("still settles, answers duplicates, counts and reads", async () => {
    const store = storeWith({ maxDeliveries: 1 });
    await store.commit(changes({ accept: [message("1")] }), now);
    const id = (await store.list({ limit: 1 })).deliveries[0]?.id as DeliveryId;
    const outcome = { kind: "delivered", detail: "200" } as const;
    const settle = [{ id, token: lease.token, outcome, attempts: [], endpoints: [] }];
    const filtered = { ...message("2"), deliveries: [], filtered: [{ destination, reason: "historical" }] } as const;
    const committed = await store.commit(changes({ accept: [message("1"), filtered], settle }), now);
    expect(committed.accepted.map((answer) => answer.kind)).toEqual(["duplicate", "stored"]);
    expect(committed.settled).toEqual(["settled"]);
    expect((await store.find(id))?.state).toBe("delivered");
  });

  it("refuses a replay too, and has space again after a sweep", async () => {
    const store = storeWith({ maxDeliveries: 1, maxBytes: 10 });
    const dead = { destination, start: { kind: "dead", reason: "lane-full" } } as const;
    await store.commit(changes({ accept: [{ ...message("1"), deliveries: [dead] }] }), now);
    const of = (await store.list({ limit: 1 })).deliveries[0]?.id as DeliveryId;
    const replay = [{ of, start: { kind: "claimed" } }] as const;
    await expect(store.commit(changes({ replay }), now)).rejects.toMatchObject({ code: "full" });
    await clock.advance(1);
    await store.sweep({ deliveredBefore: now, deadBefore: clock.wall(), limit: 5 }, clock.wall());
    const { accepted } = await store.commit(changes({ accept: [message("2")] }), now);
    expect(accepted).toMatchObject([{ kind: "stored" }]);
  });

  it("forgets the oldest message ids beyond its bound", async () => {
    const store = storeWith({ maxMessageIds: 2 });
    for (const id of ["1", "2", "3"]) await store.commit(changes({ accept: [message(id)] }), now);
    const { accepted } = await store.commit(changes({ accept: [message("3"), message("2"), message("1")] }), now);
    expect(accepted.map((answer) => answer.kind)).toEqual(["duplicate", "duplicate", "stored"]);
  });

  it("rejects everything with `unavailable` once it is closed; its disk is unchanged", async () => {
    const disk = createMemoryDisk();
    const store = createMemoryStore({ disk });
    await store.commit(changes({ accept: [message("1")] }), now);
    await store.close();
    await expect(store.counts()).rejects.toMatchObject({ code: "unavailable" });
    expect(await createMemoryStore({ disk }).counts()).toMatchObject([{ accepted: 1 }]);
  });

  it("rejects with `full` a request that names one user too many, and keeps nothing of it", async () => {
    const { deletions } = storeWith({ maxUsers: 5 });
    const request = { regulation: "suppress-only", sources: null } as const;
    await deletions?.open({ ...request, id: "1" as DeletionId, userIds: ["ann"] }, now);
    const tooMany = deletions?.open({ ...request, id: "2" as DeletionId, userIds: ["bob", "eve"] }, now);
    await expect(tooMany).rejects.toMatchObject({ code: "full" });
    expect(await deletions?.suppressed({ limit: 9 })).toEqual(["ann"]);
    await deletions?.open({ ...request, id: "2" as DeletionId, userIds: ["bob"] }, now);
  });

  it("rejects with `full` one request too many", async () => {
    const { deletions } = storeWith({ maxDeletions: 1 });
    const request = { regulation: "delete-only", userIds: ["ann"], sources: null } as const;
    await deletions?.open({ ...request, id: "1" as DeletionId }, now);
    await deletions?.open({ ...request, id: "1" as DeletionId }, now);
    await expect(deletions?.open({ ...request, id: "2" as DeletionId }, now)).rejects.toMatchObject({ code: "full" });
  });
});

it("With as many calls as its bound, an outbox rejects a further one with `full` until one is removed", async () => {
  const disk = createMemoryDisk();
  const { outbox } = createMemoryStore({ disk, outbox: true, bounds: { maxOutboxCalls: 1 } });
  const add = async (): Promise<void> => {
    const { run, commit } = beginMemoryTransaction(disk);
    await outbox?.add({ source, call: "{}" }, run);
    await commit();
  };
  await add();
  await expect(add()).rejects.toMatchObject({ code: "full" });
  await outbox?.remove((await outbox.read({ limit: 1 })).map(({ id }) => id));
  await add();
  expect(await outbox?.count({ source, limit: 9 })).toBe(1);
});
