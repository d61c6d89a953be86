// Requests about users and the outbox: what was committed before a request is gone, and what comes after it is delivered.

import type { DeletionRequest, SourceId } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createRig, type Rig, type RigOptions, slowCommits, track, WEBSITE } from "../rig.js";
import { createMemoryOutbox, type MemoryOutbox } from "./memory-outbox.js";

const SHOP = "shop" as SourceId;

function rigWith(outbox: MemoryOutbox, { wrapStore, ...options }: RigOptions = {}): Rig {
  return createRig({
    ...options,
    wrapStore: (store, clock) => ({ ...(wrapStore?.(store, clock) ?? store), outbox: outbox.outbox }),
  });
}

async function request(rig: Rig, changes: Partial<DeletionRequest> = {}): Promise<void> {
  const pending = rig.relay().requestDeletion({ regulation: "delete-only", userIds: ["ann"], ...changes });
  await rig.advance(1_000);
  (await pending)._unsafeUnwrap();
}

/** The users of the calls that the receiver got, notices of requests apart. */
function deliveredUsers(rig: Rig): readonly string[] {
  const messages = rig.seen.map(({ body }) => JSON.parse(body) as { readonly type: string; readonly userId: string });
  return messages.filter(({ type }) => type === "track").map(({ userId }) => userId);
}

function idsIn(outbox: MemoryOutbox): readonly unknown[] {
  return outbox.calls().map((call) => (JSON.parse(call) as { readonly messageId: unknown }).messageId);
}

describe("a request about users", () => {
  it("removes their calls from the outbox, and no others, also of a source that no setting knows", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    outbox.fail("read");
    await rig.advance(10);
    outbox.put(WEBSITE, track({ messageId: "a1", userId: "ann" }), track({ messageId: "b1", userId: "bob" }));
    outbox.put("unknown", track({ messageId: "a2", userId: "ann" }), track({ messageId: "b2", userId: "bob" }));
    outbox.put(
      WEBSITE,
      { type: "alias", messageId: "a3", userId: "bob", previousId: "ann" },
      { messageId: "not a call" },
    );
    outbox.fail();
    const pending = rig.relay().requestDeletion({ regulation: "delete-only", userIds: ["ann"] });
    await rig.advance(0);
    (await pending)._unsafeUnwrap();
    expect(idsIn(outbox)).toEqual(["b1", "b2", "not a call"]);
    await rig.advance(5_000);
    expect(deliveredUsers(rig)).toEqual(["bob"]);
  });

  it("removes only the calls of its sources, and none if it removes nothing", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox, { sources: [SHOP] });
    await rig.advance(10);
    outbox.put("unknown", track({ messageId: "a1", userId: "ann" }));
    await request(rig, { sources: [SHOP] });
    await request(rig, { regulation: "unsuppress" });
    expect(idsIn(outbox)).toEqual(["a1"]);
    await request(rig);
    expect(idsIn(outbox)).toEqual([]);
  });

  it("looks through an outbox of many pages", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    await rig.advance(10);
    const calls = Array.from({ length: 1_200 }, (_, index) => track({ userId: index % 100 === 0 ? "ann" : "bob" }));
    outbox.put("unknown", ...calls);
    await request(rig);
    expect(outbox.calls()).toHaveLength(1_188);
  });

  it("is not made if the outbox does not answer", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    await rig.advance(10);
    outbox.fail("read");
    const pending = rig.relay().requestDeletion({ regulation: "delete-only", userIds: ["ann"] });
    await rig.advance(1_000);
    expect((await pending)._unsafeUnwrapErr()).toEqual({ code: "busy" });
    expect(await rig.answer(rig.relay().deletionRequests({ limit: 1 }))).toEqual({ deletions: [], more: false });
  });
});

describe("a call in the outbox", () => {
  it("that was read before a request is not stored after it", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox, { wrapStore: slowCommits(100) });
    await rig.advance(10);
    outbox.put(WEBSITE, track({ messageId: "a1", userId: "ann" }), track({ messageId: "b1", userId: "bob" }));
    await rig.advance(1_030);
    // Its commit is under way, and takes effect after the request.
    await request(rig);
    await rig.advance(5_000);
    expect(deliveredUsers(rig)).toEqual(["bob"]);
    expect(outbox.calls()).toEqual([]);
    // The call of bob, and the notice.
    expect(await rig.answer(rig.relay().stats())).toMatchObject({ accepted: 2, duplicates: 0 });
  });

  it("that is written after a request is delivered", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    await rig.advance(10);
    await request(rig);
    outbox.put(WEBSITE, track({ messageId: "a1", userId: "ann" }));
    await rig.advance(5_000);
    expect(deliveredUsers(rig)).toEqual(["ann"]);
  });
});
