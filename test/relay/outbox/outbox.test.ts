import type { SourceId } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { MAX_COUNTED_OUTBOX } from "../../../packages/relay/src/limits.js";
import { createRig, destination, type Rig, type RigOptions, track, WEBSITE } from "../rig.js";
import { createMemoryOutbox, type MemoryOutbox } from "./memory-outbox.js";

const SHOP = "shop" as SourceId;

function rigWith(outbox: MemoryOutbox, options: RigOptions = {}): Rig {
  return createRig({ ...options, wrapStore: (store) => ({ ...store, outbox: outbox.outbox }) });
}

function calls(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => track({ messageId: `m${String(index)}` }));
}

describe("a relay on a store with an outbox", () => {
  it("delivers the calls in it, and removes them", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    outbox.put(WEBSITE, track({ messageId: "m1", event: "Paid" }));
    await rig.advance(2_000);
    expect(outbox.calls()).toEqual([]);
    expect(rig.seen.map(({ body }) => JSON.parse(body) as object)).toMatchObject([{ messageId: "m1", event: "Paid" }]);
  });

  it("takes more calls than a page within one look, and each once", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    await rig.advance(1);
    outbox.put(WEBSITE, ...calls(1_100));
    await rig.advance(3_000);
    expect(outbox.calls()).toEqual([]);
    expect(await rig.answer(rig.relay().stats())).toMatchObject({ accepted: 1_100, duplicates: 0 });
  });

  it("takes a call again that it could not remove, as a duplicate", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    outbox.fail("remove");
    outbox.put(WEBSITE, track({ messageId: "m1" }));
    await rig.advance(2_000);
    expect(outbox.calls()).toHaveLength(1);
    outbox.fail();
    await rig.advance(2_000);
    expect(outbox.calls()).toEqual([]);
    expect(rig.seen).toHaveLength(1);
    expect(await rig.answer(rig.relay().stats())).toMatchObject({ accepted: 1 });
  });

  it("goes on looking after the store has not answered", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    outbox.fail("read");
    outbox.put(WEBSITE, track({ messageId: "m1" }));
    await rig.advance(5_000);
    expect(rig.seen).toHaveLength(0);
    outbox.fail();
    await rig.advance(2_000);
    expect(rig.seen).toHaveLength(1);
  });

  it("leaves calls of a source that is not in the settings where they are, and does not stop at them", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    outbox.put(SHOP, ...calls(300));
    outbox.put(WEBSITE, track({ messageId: "known" }));
    await rig.advance(10_000);
    expect(outbox.calls()).toHaveLength(300);
    expect(rig.seen).toHaveLength(1);
    expect(rig.events.filter(({ kind }) => kind === "outbox-waits")).toMatchObject([{ source: SHOP, calls: 300 }]);
  });

  it("is not held up by any number of such calls, and asks for them no more", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    for (const source of ["shop", "shopp", "other"]) outbox.put(source, ...calls(5_000));
    await rig.advance(5_000);
    const before = outbox.reads();
    outbox.put(WEBSITE, track({ messageId: "known" }));
    await rig.advance(1_100);
    expect(rig.seen).toHaveLength(1);
    expect(outbox.reads() - before).toBeLessThanOrEqual(2);
    expect(outbox.calls()).toHaveLength(15_000);
    const waitEvents = rig.events.filter(({ kind }) => kind === "outbox-waits");
    expect(waitEvents).toMatchObject(["shop", "shopp", "other"].map((source) => ({ source, calls: 5_000 })));
  });

  it("tells of at most a number of calls, and goes on if they cannot be counted", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    outbox.fail("count");
    outbox.put(SHOP, ...calls(MAX_COUNTED_OUTBOX + 1));
    outbox.put(WEBSITE, track());
    await rig.advance(3_000);
    expect(rig.seen).toHaveLength(1);
    expect(rig.events.filter(({ kind }) => kind === "outbox-waits")).toEqual([]);
    outbox.fail();
    await rig.advance(2_000);
    expect(rig.events.filter(({ kind }) => kind === "outbox-waits")).toMatchObject([{ calls: MAX_COUNTED_OUTBOX }]);
  });

  it("accepts them once the settings have their source", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    outbox.put("shop", track({ messageId: "m1" }));
    await rig.advance(3_000);
    const crm = destination("crm", ["a"], { sources: [{ source: SHOP, mode: "cloud" }] });
    expect(
      rig
        .relay()
        .configure(createRig({ sources: [SHOP] }).workspace([crm]))
        .isOk(),
    ).toBe(true);
    await rig.advance(3_000);
    expect(outbox.calls()).toEqual([]);
    expect(rig.seen).toHaveLength(1);
  });

  it("tells of such a source again when it has been away", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    outbox.put(SHOP, track());
    await rig.advance(3_000);
    await outbox.outbox.remove(["1"]);
    await rig.advance(3_000);
    outbox.put(SHOP, track(), track());
    await rig.advance(3_000);
    expect(rig.events.filter(({ kind }) => kind === "outbox-waits")).toMatchObject([{ calls: 1 }, { calls: 2 }]);
  });

  it("removes what is no call, and counts it as refused", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox);
    outbox.put(WEBSITE, { type: "track" }, ["no call"]);
    await rig.advance(2_000);
    expect(outbox.calls()).toEqual([]);
    expect(await rig.answer(rig.relay().stats())).toMatchObject({ accepted: 0, refused: 2 });
  });

  it.each(["full", "unavailable"])("keeps calls that could not be stored, since the store is %s", async (code) => {
    const outbox = createMemoryOutbox();
    let isFailing = true;
    const rig = createRig({
      destinations: [destination("crm", ["a"])],
      wrapStore: (store) => ({
        ...store,
        outbox: outbox.outbox,
        commit: (changes, now) =>
          isFailing && changes.accept.length > 0
            ? Promise.reject(Object.assign(new Error("no room"), { code }))
            : store.commit(changes, now),
      }),
    });
    outbox.put(WEBSITE, track({ messageId: "m1" }));
    await rig.advance(5_000);
    expect(outbox.calls()).toHaveLength(1);
    isFailing = false;
    await rig.advance(60_000);
    expect(outbox.calls()).toEqual([]);
    expect(rig.seen).toHaveLength(1);
  });

  it("is the only one of several that looks into it", async () => {
    const outbox = createMemoryOutbox();
    const rig = rigWith(outbox, { hasBoard: true });
    rig.join();
    await rig.advance(10_000);
    const before = outbox.reads();
    outbox.put(WEBSITE, ...calls(20));
    await rig.advance(10_000);
    expect(outbox.reads() - before).toBeLessThanOrEqual(11);
    expect(await rig.answer(rig.relay().stats())).toMatchObject({ accepted: 20, duplicates: 0 });
  });
});
