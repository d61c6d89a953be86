// A call that a durable client has kept ends by an answer for that very call, and by nothing else: through outages, wrong answers,
// poisoned calls, full memory and crashes.

import { createMemoryCallStorage } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SET_ASIDE_RETRY_MS } from "../../../packages/client/src/limits.js";
import { answer } from "../rig.js";
import { type Ending, startLife } from "./life.js";

const MINUTE_MS = 60_000;

/** What stands between a client and its server, or the server itself, may answer for a while. */
const WRONG: readonly Ending[] = [
  ...[301, 308, 400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503].map((status) => () => answer(status)),
  () => new Response("<!doctype html><title>Sign in</title>"),
  () => answer(200, { success: false }),
  () => "reset",
  () => "silent",
];

describe("a durable client", () => {
  it.each(WRONG.map((ending, index) => ({ ending, index })))(
    "delivers all once, and forgets none, when answers have been wrong for eight minutes: $index",
    async ({ ending }) => {
      const life = startLife(createMemoryCallStorage());
      await life.callEachSecond(5);
      life.answers(ending);
      await life.callEachSecond(480);
      expect(life.failed).toEqual([]);
      expect(life.client.backlog().calls).toBeGreaterThan(470);
      life.answers(() => answer(200));
      await life.callEachSecond(240);
      await life.settle();
      expect(new Set(life.arrived)).toEqual(new Set(life.kept));
      expect(life.arrived).toHaveLength(life.kept.length);
      expect(life.client.backlog()).toEqual({ calls: 0, inMemory: 0, setAside: 0 });
    },
  );

  it("tells a new trouble once, and its repetitions as details", async () => {
    const life = startLife(createMemoryCallStorage());
    life.answers(() => answer(401, { error: { code: "unknown-key", message: "" } }));
    await life.callEachSecond(600);
    const told = life.log.filter(({ code }) => code === "batch-again");
    expect(told.length).toBeGreaterThan(10);
    expect(told.filter(({ level }) => level === "warning")).toHaveLength(1);
  });

  it.each([1, 20, 500])(
    "sets one poisoned call aside among 3,000 within a minute, in batches of %i",
    async (flushAt) => {
      const life = startLife(createMemoryCallStorage(), { flushAt });
      const ids = life.call(3_000);
      const poison = ids[1_234]!;
      life.answers(({ batch }) => (batch.includes(poison) ? answer(403) : answer(200)));
      await life.clock.advance(MINUTE_MS);
      expect(new Set(life.arrived)).toEqual(new Set(ids.filter((id) => id !== poison)));
      expect(life.failed).toMatchObject([{ messageId: poison, reason: "set-aside", code: "403" }]);
      expect(life.client.backlog()).toEqual({ calls: 1, inMemory: 0, setAside: 1 });

      await life.clock.advance(SET_ASIDE_RETRY_MS);
      expect(life.failed).toHaveLength(1);
      life.answers(() => answer(200));
      life.call(1);
      await life.clock.advance(SET_ASIDE_RETRY_MS);
      expect(life.arrived).toContain(poison);
      expect(life.client.backlog().calls).toBe(0);
    },
  );

  it.each(["an hour", "a restart"])(
    "goes on when calls that were set aside come back after %s and fill its memory",
    async (when) => {
      const storage = createMemoryCallStorage();
      const options = { maxQueued: { calls: 20 } };
      const poisoned = new Set<string>();
      const judge: Ending = ({ batch }) => (batch.some((id) => poisoned.has(id)) ? answer(403) : answer(200));
      let life = startLife(storage, options);
      life.answers(judge);
      for (let n = 0; n < 25; n += 1) {
        for (const id of life.call(1)) poisoned.add(id);
        life.call(5);
        await life.clock.advance(MINUTE_MS);
      }
      expect(life.client.backlog()).toEqual({ calls: 25, inMemory: 0, setAside: 25 });
      if (when === "a restart") life = startLife(storage, options);
      life.answers(judge);
      await life.clock.advance(SET_ASIDE_RETRY_MS);
      const ids = life.call(10);
      await life.clock.advance(SET_ASIDE_RETRY_MS);
      expect(ids.filter((id) => !life.arrived.includes(id))).toEqual([]);
      expect(life.client.backlog().calls).toBe(25);
    },
  );

  it("sets no call aside because a batch of before the outage is answered late", async () => {
    const life = startLife(createMemoryCallStorage(), { flushAt: 20 });
    let isWrong = false;
    let answerFirst = (): void => undefined;
    const first = new Promise<Response>((resolve) => {
      answerFirst = () => resolve(answer(200));
    });
    let requests = 0;
    life.answersLater(() => ((requests += 1) === 1 ? first : Promise.resolve(answer(isWrong ? 401 : 200))));
    life.call(20);
    await life.clock.settle();
    isWrong = true;
    life.call(100);
    await life.clock.advance(3_000);
    answerFirst();
    await life.clock.advance(8 * MINUTE_MS);
    isWrong = false;
    await life.settle();
    expect(life.failed).toEqual([]);
    expect(life.client.backlog()).toEqual({ calls: 0, inMemory: 0, setAside: 0 });
  });

  it("forgets no call because another one of its messageId has ended", async () => {
    const storage = createMemoryCallStorage();
    const life = startLife(storage, { flushAt: 1, maxInFlight: 1 });
    let requests = 0;
    life.answers(() =>
      (requests += 1) === 1 ? answer(200, { rejected: [{ index: 0, code: "no-event" }] }) : "silent",
    );
    life.client.track({ userId: "u1", event: "wrong", messageId: "same" });
    life.client.track({ userId: "u1", event: "mended", messageId: "same" });
    expect(await life.client.kept()).toBe(true);
    await life.clock.advance(100);
    expect((await storage.load({ limit: 2 })).calls).toMatchObject([{ messageId: "same" }]);
    expect(life.client.backlog()).toEqual({ calls: 1, inMemory: 1, setAside: 0 });
  });

  it("is held up by no number of poisoned calls, even if it sends one batch of one call at a time", async () => {
    const life = startLife(createMemoryCallStorage(), { flushAt: 1, maxInFlight: 1 });
    const ids = life.call(50);
    const poisoned = new Set(ids.slice(0, 10));
    life.answers(({ batch }) => (batch.some((id) => poisoned.has(id)) ? answer(400) : answer(200)));
    await life.clock.advance(10 * MINUTE_MS);
    expect(new Set(life.arrived)).toEqual(new Set(ids.slice(10)));
    expect(new Set(life.failed.map(({ messageId }) => messageId))).toEqual(poisoned);
  });

  it("stores what does not fit into memory, sends it in its order, and refuses exactly what does not fit at all", async () => {
    const life = startLife(createMemoryCallStorage({ maxCalls: 120 }), { maxQueued: { calls: 30 }, maxInFlight: 1 });
    life.answers(() => answer(503));
    const ids = life.call(200);
    expect(ids).toHaveLength(120);
    expect(life.client.backlog()).toEqual({ calls: 120, inMemory: 30, setAside: 0 });
    life.answers(() => answer(200));
    await life.clock.advance(5 * MINUTE_MS);
    expect(life.arrived).toEqual(ids);
    expect(life.call(1)).toHaveLength(1);
    await life.settle();
    expect(life.client.backlog()).toEqual({ calls: 0, inMemory: 0, setAside: 0 });
  });

  it("forgets no kept call, whatever the answers and however often it crashes", async () => {
    const ending = fc.record({ answer: fc.nat(WRONG.length), forMs: fc.nat(20_000), calls: fc.nat(40) });
    const lives = fc.array(fc.array(ending, { maxLength: 5 }), { minLength: 1, maxLength: 4 });
    const settings = fc.record({
      flushAt: fc.integer({ min: 1, max: 30 }),
      maxInFlight: fc.integer({ min: 1, max: 4 }),
      maxQueued: fc.record({ calls: fc.integer({ min: 20, max: 60 }) }),
    });
    await fc.assert(
      fc.asyncProperty(lives, settings, fc.nat(6), async (plan, options, spread) => {
        const storage = createMemoryCallStorage({ maxCalls: 150 });
        const kept: string[] = [];
        const ended = new Set<string>();
        /** The server rejects a few calls by their index, and something refuses a few batches for the sake of one call. */
        const isRejected = (id: string): boolean => spread > 0 && id.charCodeAt(3) % 7 === spread;
        const isPoison = (id: string): boolean => spread > 0 && id.charCodeAt(4) % 13 === spread;
        for (const endings of [...plan, []]) {
          const life = startLife(storage, options);
          for (const { answer: which, forMs, calls } of endings) {
            life.answers(WRONG[which] ?? life.judging(isRejected, isPoison));
            life.call(calls);
            await life.clock.advance(forMs);
          }
          if (endings.length === 0) {
            life.answers(life.judging(isRejected, isPoison));
            await life.clock.advance(30 * MINUTE_MS);
          }
          const isKept = await life.client.kept();
          for (const id of [...life.arrived, ...life.rejected()]) ended.add(id);
          const stored = new Set((await storage.load({ limit: 1_000 })).calls.map(({ messageId }) => messageId));
          // Before it has read its storage, a client takes more than fits; it says then that not all is kept.
          kept.push(...life.kept.filter((id) => isKept || stored.has(id)));
          expect(kept.filter((id) => !ended.has(id) && !stored.has(id))).toEqual([]);
        }
        expect(kept.filter((id) => !ended.has(id) && !isPoison(id))).toEqual([]);
      }),
      { numRuns: Number(process.env["POSTRIDER_RUNS"] ?? 60) },
    );
  });
});
