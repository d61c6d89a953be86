// Arrivals of more than one slice: processed under one answer, with other work between the slices.

import type { Changes, DeliveryStore, Receipt, SourceId } from "@postrider/core";
import { describe, expect, it } from "vitest";
import {
  MAX_SLICED,
  MAX_SLICED_OF_SOURCE,
  SLICE_BYTES,
  SLICE_CALLS,
  SLICE_UNITS,
} from "../../packages/relay/src/limits.js";
import { type Rig, createRig, destination, storeError, track, WEBSITE } from "./rig.js";

interface Watched extends Rig {
  readonly commits: Changes[];
}

/** `fail` answers the code that the nth commit of calls rejects with, from 1. */
function watch(destinations = 1, fail: (nth: number) => string | undefined = () => undefined): Watched {
  const commits: Changes[] = [];
  const wrapStore = (store: DeliveryStore): DeliveryStore => ({
    ...store,
    commit: (changes, now) => {
      if (changes.accept.length > 0) commits.push(changes);
      const code = changes.accept.length > 0 ? fail(commits.length) : undefined;
      return code === undefined ? store.commit(changes, now) : Promise.reject(storeError(code));
    },
  });
  const lanes = Array.from({ length: destinations }, (_, index) => destination(`crm${String(index)}`, ["a"]));
  return { ...createRig({ wrapStore, destinations: lanes }), commits };
}

function pages(count: number): readonly unknown[] {
  return Array.from({ length: count }, (_, index) => ({ type: "page", userId: "u", messageId: `m${String(index)}` }));
}

function kindsOf(receipts: readonly Receipt[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of receipts) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

describe("an arrival of many calls", () => {
  it("is stored slice by slice, in order, with a receipt for each", async () => {
    const rig = watch();
    const receipts = await rig.accept(...pages(2_500));
    const ids = rig.commits.flatMap(({ accept }) => accept.map(({ messageId }) => messageId));
    expect(ids).toEqual(Array.from({ length: 2_500 }, (_, index) => `m${String(index)}`));
    expect(receipts.map((one) => ("messageId" in one ? one.messageId : ""))).toEqual(ids);
    expect(Math.max(...rig.commits.map(({ accept }) => accept.length))).toBe(SLICE_CALLS);
  });

  it("that share large fields is stored with at most the bytes of a slice at once", async () => {
    const rig = watch();
    const context = { text: "x".repeat(31_000) };
    const arrival = rig.relay().accept({ source: WEBSITE, calls: pages(100), shared: { context } });
    await rig.answer(arrival);
    const bytes = rig.commits.map(({ accept }) => accept.reduce((sum, { body }) => sum + body.length, 0));
    expect(bytes.length).toBeGreaterThan(2);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(SLICE_BYTES + 32_768);
  });

  it("to many destinations is stored with at most the deliveries of a slice at once", async () => {
    const rig = watch(100);
    const receipts = await rig.accept(...pages(40));
    expect(kindsOf(receipts)).toEqual({ accepted: 40 });
    const rows = rig.commits.map(({ accept }) => accept.reduce((sum, { deliveries }) => sum + deliveries.length, 0));
    expect(rows.reduce((sum, count) => sum + count, 0)).toBe(4_000);
    expect(Math.max(...rows)).toBeLessThanOrEqual(SLICE_UNITS);
  });

  it("lets other calls in between its slices", async () => {
    const rig = watch();
    const large = rig.relay().accept({ source: WEBSITE, calls: pages(2_500) });
    const small = rig.relay().accept({ source: WEBSITE, calls: [track({ messageId: "small" })] });
    await rig.clock.advance(0);
    await Promise.all([large, small]);
    const at = rig.commits.findIndex(({ accept }) => accept.some(({ messageId }) => messageId === "small"));
    expect(at).toBeLessThanOrEqual(1);
    expect(rig.commits.length).toBeGreaterThan(9);
  });

  it("keeps what was stored when a later slice is shed, and a repeat stores the rest", async () => {
    const full = { from: 3 };
    const rig = watch(1, (nth) => (nth >= full.from ? "full" : undefined));
    const receipts = await rig.accept(...pages(1_000));
    expect(kindsOf(receipts)).toEqual({ accepted: 2 * SLICE_CALLS, shed: 1_000 - 2 * SLICE_CALLS });
    expect(receipts.findIndex(({ kind }) => kind === "shed")).toBe(2 * SLICE_CALLS);
    full.from = Infinity;
    expect(kindsOf(await rig.accept(...pages(1_000)))).toEqual({
      duplicate: 2 * SLICE_CALLS,
      accepted: 1_000 - 2 * SLICE_CALLS,
    });
    expect(await rig.all()).toHaveLength(1_000);
  });

  it("is a fault as a whole when the outcome of a slice is unknown, and a repeat is safe", async () => {
    const fails = { nth: 2 };
    const rig = watch(1, (nth) => (nth === fails.nth ? "unavailable" : undefined));
    const arrival = rig.relay().accept({ source: WEBSITE, calls: pages(1_000) });
    await rig.clock.advance(0);
    expect((await arrival)._unsafeUnwrapErr()).toEqual({ code: "unavailable" });
    expect(kindsOf(await rig.accept(...pages(1_000)))).toEqual({ duplicate: 256, accepted: 744 });
  });

  it("ends after the slice under way when the relay stops, and no slot of a lane stays taken", async () => {
    const rig = watch();
    const arrival = rig.relay().accept({ source: WEBSITE, calls: pages(2_500) });
    const stopped = rig.relay().stop();
    await rig.advance(1_000);
    await stopped;
    expect((await arrival)._unsafeUnwrapErr()).toEqual({ code: "stopped" });
    expect(rig.commits.length).toBe(1);
  });

  it("is shed before any of it is stored when too many other arrivals wait", async () => {
    const rig = watch();
    const otherSource = "other" as SourceId;
    const arrivals = Array.from({ length: MAX_SLICED + 2 }, (_, index) =>
      rig.relay().accept({ source: index < MAX_SLICED_OF_SOURCE + 1 ? WEBSITE : otherSource, calls: pages(300) }),
    );
    await rig.clock.advance(0);
    const kinds = await Promise.all(arrivals.map(async (one) => kindsOf((await one)._unsafeUnwrap())));
    expect(kinds.map(({ shed }) => shed)).toEqual(
      kinds.map((_, index) => (index === MAX_SLICED_OF_SOURCE || index === MAX_SLICED + 1 ? 300 : undefined)),
    );
  });
});

describe("a call to more destinations than a slice may have", () => {
  it("is still one commit, and is delivered to each", async () => {
    const rig = watch(1_300);
    const [receipt] = await rig.accept(track({ messageId: "m1" }));
    expect(receipt).toMatchObject({ kind: "accepted", messageId: "m1" });
    expect(rig.commits.map(({ accept }) => accept.map(({ deliveries }) => deliveries.length))).toEqual([[1_300]]);
    await rig.advance(60_000);
    expect(rig.seen).toHaveLength(1_300);
    expect((await rig.all()).every(({ state }) => state === "delivered")).toBe(true);
  });

  it("releases its slots when it is a duplicate or cannot be stored", async () => {
    const rig = watch(600, (nth) => (nth === 2 ? "full" : undefined));
    await rig.accept(track({ messageId: "m1" }));
    await rig.advance(60_000);
    expect(kindsOf(await rig.accept(track({ messageId: "m2" })))).toEqual({ shed: 1 });
    expect(kindsOf(await rig.accept(track({ messageId: "m1" })))).toEqual({ duplicate: 1 });
    expect(kindsOf(await rig.accept(track({ messageId: "m2" })))).toEqual({ accepted: 1 });
    await rig.advance(60_000);
    expect(rig.seen).toHaveLength(1_200);
  });
});

describe("brief receipts", () => {
  it("name no deliveries and nothing filtered", async () => {
    const rig = watch(3);
    const arrival = rig.relay().accept({ source: WEBSITE, calls: [track({ messageId: "m1" })], isBrief: true });
    expect(await rig.answer(arrival)).toEqual([{ kind: "accepted", messageId: "m1", deliveries: [], filtered: [] }]);
    expect(await rig.all()).toHaveLength(3);
  });
});
