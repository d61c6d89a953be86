// Writes are gathered, and share commits.

import type { Changes, DeliveryStore } from "@postrider/core";
import type { ManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { MAX_COMMITS, OVERTAKE_MS, STALL_MS } from "../../packages/relay/src/limits.js";
import { type Rig, type RigOptions, createRig, storeError, track, WEBSITE } from "./rig.js";

interface Watched extends Rig {
  readonly commits: Changes[];
  /** Sends a call without waiting for the receipt. */
  readonly send: (id: string) => Promise<unknown>;
}

type Commit = DeliveryStore["commit"];

interface WatchOptions {
  /** The duration of each commit. */
  readonly commitMs?: number;
  /** Called before the store. */
  readonly onCommit?: (commit: Commit) => Commit;
  /** True if machines share the store, which has a clock then, and answers side by side. */
  readonly isShared?: boolean;
}

/** A rig whose commits are written down. */
function watch(
  { commitMs = 0, onCommit = (commit: Commit) => commit, isShared = false }: WatchOptions,
  options: RigOptions = {},
): Watched {
  const commits: Changes[] = [];
  const wrapStore = (store: DeliveryStore, clock: ManualClock): DeliveryStore => ({
    ...store,
    ...(isShared && { clock: { wall: () => Promise.resolve(clock.wall()) } }),
    commit: async (changes, now) => {
      commits.push(changes);
      if (commitMs > 0) await new Promise<void>((resolve) => clock.after(commitMs, resolve));
      return onCommit((...parameters) => store.commit(...parameters))(changes, now);
    },
  });
  const rig = createRig({ wrapStore, ...options, relay: { gatherMs: 3, ...options.relay } });
  const send = async (id: string): Promise<unknown> =>
    await rig.relay().accept({ source: WEBSITE, calls: [track({ messageId: id })] });
  return { ...rig, commits, send };
}

function accepted(commits: readonly Changes[]): readonly (readonly string[])[] {
  return commits.map((changes) => changes.accept.map((message) => message.messageId)).filter((ids) => ids.length > 0);
}

describe("writes", () => {
  it("of calls are committed at once, and wait for no others", async () => {
    const rig = watch({});
    await rig.advance(100);
    for (const id of ["m1", "m2"]) {
      void rig.send(id);
      await rig.clock.settle();
    }
    expect(accepted(rig.commits)).toEqual([["m1"], ["m2"]]);
  });

  it("that no caller waits for wait a moment, and share one commit", async () => {
    const rig = watch({}, { receivers: { a: { status: 200, afterMs: 10 } } });
    const settled = (): readonly number[] => rig.commits.map(({ settle }) => settle.length).filter((rows) => rows > 0);
    await rig.advance(100);
    const answers = [rig.send("m1")];
    await rig.advance(1);
    answers.push(rig.send("m2"));
    await rig.advance(11.9);
    expect(settled()).toEqual([]);
    await rig.advance(0.1);
    expect(settled()).toEqual([2]);
    await Promise.all(answers);
  });

  it("that come while a commit is under way share the next", async () => {
    const rig = watch({ commitMs: 20 }, { relay: { gatherMs: 0 } });
    await rig.advance(100);
    const answers = ["m1", "m2", "m3"].map(rig.send);
    await rig.advance(19);
    expect(accepted(rig.commits)).toEqual([["m1"]]);
    await rig.advance(21);
    expect(accepted(rig.commits)).toEqual([["m1"], ["m2", "m3"]]);
    await Promise.all(answers);
  });

  it("of accepts and settlements share commits too", async () => {
    const rig = watch({}, { receivers: { a: { status: 200, afterMs: 10 } } });
    await rig.advance(100);
    const answers = [rig.send("m1")];
    await rig.advance(9);
    answers.push(rig.send("m2"));
    await rig.advance(1);
    answers.push(rig.send("m3"));
    await rig.advance(10);
    const mixed = rig.commits.filter(({ accept, settle }) => accept.length > 0 && settle.length > 0);
    expect(mixed).toHaveLength(1);
    await Promise.all(answers);
  });

  it("are each answered with their result, also for duplicates in the same commit", async () => {
    const rig = watch({});
    await rig.advance(100);
    const first = rig.send("m0");
    const arrivals = [["m1", "m2"], ["m1"], ["m3", "m0"]].map((ids) =>
      rig.relay().accept({ source: WEBSITE, calls: ids.map((messageId) => track({ messageId })) }),
    );
    await rig.advance(3);
    const receipts = await Promise.all(arrivals.map(async (arrival) => (await arrival)._unsafeUnwrap()));
    const lines = receipts.map((list) => list.map((one) => `${one.kind} ${"messageId" in one ? one.messageId : ""}`));
    expect(lines).toEqual([["accepted m1", "accepted m2"], ["duplicate m1"], ["accepted m3", "duplicate m0"]]);
    const ids = receipts.flat().flatMap((one) => (one.kind === "accepted" ? one.deliveries : []));
    for (const id of ids) expect((await rig.relay().delivery(id))._unsafeUnwrap()?.id).toBe(id);
    expect(new Set(ids).size).toBe(3);
    await first;
  });

  it("are answered only once the commit has succeeded", async () => {
    const rig = watch({ commitMs: 20 });
    await rig.advance(100);
    let isAnswered = false;
    void rig.send("m1").then(() => (isAnswered = true));
    await rig.advance(19);
    expect(isAnswered).toBe(false);
    await rig.advance(1);
    expect(isAnswered).toBe(true);
  });

  it("beyond the bound of gathered writes are shed, while settlements still succeed", async () => {
    const rig = watch({ commitMs: 1_000 });
    await rig.advance(100);
    const large = { properties: { text: "x".repeat(30_000) } };
    const batch = (name: string) =>
      rig.relay().accept({
        source: WEBSITE,
        calls: Array.from({ length: 16 }, (_, index) => track({ messageId: `${name}-${String(index)}`, ...large })),
      });
    const arrivals = Array.from({ length: 145 }, (_, index) => batch(String(index + 100)));
    await rig.advance(100_000);
    const kinds = await Promise.all(arrivals.map(async (one) => (await one)._unsafeUnwrap()[0]?.kind));
    const first = rig.commits.find(({ accept }) => accept.length === 16);
    const bytes = first?.accept.reduce((sum, { body }) => sum + body.length, 0) ?? NaN;
    // One is under way, and as many have gathered as fit in 64 MiB.
    const fitting = 1 + Math.floor(67_108_864 / bytes);
    expect(kinds).toEqual(Array.from(arrivals, (_, index) => (index < fitting ? "accepted" : "shed")));
  });
});

describe("a commit that gets no answer", () => {
  /** Commits of calls hang that have one of these ids; all others are answered at once. The store answers side by side, or in order. */
  function hanging(ids: readonly string[], isShared: boolean): Watched {
    const onCommit =
      (commit: Commit): Commit =>
      (changes, now) =>
        changes.accept.some(({ messageId }) => ids.includes(messageId))
          ? new Promise(() => undefined)
          : commit(changes, now);
    return watch({ onCommit, isShared });
  }

  it("does not hold up the next one for long, if the store answers side by side", async () => {
    const rig = hanging(["m1"], true);
    await rig.advance(100);
    void rig.send("m1");
    await rig.advance(OVERTAKE_MS - 1);
    const next = rig.send("m2");
    await rig.clock.settle();
    expect(accepted(rig.commits)).toEqual([["m1"]]);
    await rig.advance(1);
    await next;
    await rig.send("m3");
    expect(accepted(rig.commits)).toEqual([["m1"], ["m2"], ["m3"]]);
    expect(rig.relay().health()).toEqual({ kind: "healthy" });
  });

  it("has company in a bounded number, and then the store is stalled", async () => {
    const rig = hanging(["m1", "m2", "m3", "m4"], true);
    await rig.advance(100);
    const answers: Promise<unknown>[] = [];
    for (const id of ["m1", "m2", "m3", "m4"]) {
      answers.push(rig.send(id));
      await rig.advance(OVERTAKE_MS);
    }
    await rig.advance(STALL_MS);
    expect(accepted(rig.commits)).toHaveLength(MAX_COMMITS);
    expect(rig.relay().health()).toEqual({ kind: "unhealthy", reason: "stalled" });
    await Promise.all(answers);
  });

  it("is waited for by the next one, if the store answers in order", async () => {
    const rig = hanging(["m1"], false);
    await rig.advance(100);
    void rig.send("m1");
    await rig.advance(OVERTAKE_MS * 2);
    void rig.send("m2");
    await rig.advance(500);
    expect(accepted(rig.commits)).toEqual([["m1"]]);
  });
});

describe("a store that is full", () => {
  const fullFor =
    (calls: { left: number }) =>
    (commit: Commit): Commit =>
    (changes, now) => {
      if (changes.accept.length > 0 && calls.left > 0) {
        calls.left -= 1;
        return Promise.reject(storeError("full"));
      }
      return commit(changes, now);
    };

  it("sheds the calls of a commit and still settles what is in it", async () => {
    const budget = { left: 0 };
    const rig = watch({ onCommit: fullFor(budget) }, { receivers: { a: { status: 200, afterMs: 10 } } });
    await rig.advance(100);
    void rig.send("m1");
    await rig.advance(9);
    void rig.send("m2");
    budget.left = 1;
    await rig.advance(1);
    const shed = rig.relay().accept({ source: WEBSITE, calls: [track({ messageId: "m3" })] });
    await rig.advance(50);
    expect((await shed)._unsafeUnwrap()).toMatchObject([{ kind: "shed" }]);
    expect((await rig.all()).map((one) => one.state)).toEqual(["delivered", "delivered"]);
    expect(rig.seen).toHaveLength(2);
  });

  it("releases the slots that shed calls had taken", async () => {
    const budget = { left: 100 };
    const rig = watch({ onCommit: fullFor(budget) }, { relay: { gatherMs: 0 } });
    for (let call = 0; call < 100; call += 1) await rig.send(`shed-${String(call)}`);
    expect(budget.left).toBe(0);
    await rig.send("m1");
    await rig.advance(1);
    expect(rig.seen).toHaveLength(1);
  });

  it("is unhealthy until something new is stored, or for half a minute", async () => {
    const budget = { left: 1 };
    const rig = watch({ onCommit: fullFor(budget) });
    const health = () => rig.relay().health();
    await rig.send("m1");
    expect(health()).toEqual({ kind: "unhealthy", reason: "full" });
    await rig.advance(5_000);
    expect(health()).toEqual({ kind: "unhealthy", reason: "full" });
    await rig.send("m2");
    expect(health()).toEqual({ kind: "healthy" });
    budget.left = 1;
    await rig.advance(1_000);
    await rig.send("m3");
    await rig.advance(29_999);
    expect(health()).toEqual({ kind: "unhealthy", reason: "full" });
    await rig.advance(1);
    expect(health()).toEqual({ kind: "healthy" });
  });
});
