// Cases of the processes of a board: a beat reports those that live, each with the share that it announced. A process lives
// until it leaves, or for a time after its latest beat, to the millisecond.

import { HOUR_MS } from "@postrider/core/engine";
import type { EpochMs } from "@postrider/core";
import { expectEqual } from "../check.js";
import { beat, boardIn, boardOf, expectLiving, processOf, readBoard } from "./board-scene.js";
import type { StoreCase, Scene } from "./scene.js";

/** Shares that must be kept exactly: 0 and 1, the smallest and largest numbers between them, and fractions without an exact binary form. */
const SHARES = [0, 1, 1 / 3, 0.1 + 0.2, 0.5, 1e-9, Number.MIN_VALUE, 1 - 2 ** -53];

export const BEATING_CASES: readonly StoreCase[] = [
  {
    name: "a beat tells who lives, the asking process included, each with the share that it announced last",
    needs: ["board"],
    async play(scene) {
      expectLiving(scene, await beat(scene, { process: "ann", share: 0.5 }), { ann: 0.5 }, "alone");
      const secondNews = await beat(scene, { process: "bob", share: 0.25 });
      expectLiving(scene, secondNews, { ann: 0.5, bob: 0.25 }, "what the second is told");
      for (const share of SHARES) {
        expectLiving(scene, await beat(scene, { process: "ann", share }), { ann: share, bob: 0.25 }, "its own share");
        const news = await beat(scene, { process: "bob", share: 0.25 });
        expectLiving(scene, news, { ann: share, bob: 0.25 }, "the share of another");
      }
    },
  },
  {
    name: "a process that has left lives no more; all others do, and it may come back",
    needs: ["board"],
    async play(scene) {
      for (const process of ["ann", "bob", "carl"]) await beat(scene, { process });
      await boardOf(scene).leave(processOf(scene, "ann"));
      expectLiving(scene, await beat(scene, { process: "bob" }), { bob: 0, carl: 0 }, "after one has left");
      await boardOf(scene).leave(processOf(scene, "ann"));
      await boardOf(scene).leave(processOf(scene, "never there"));
      expectLiving(
        scene,
        await beat(scene, { process: "bob" }),
        { bob: 0, carl: 0 },
        "after processes that are not there have left",
      );
      const back = await beat(scene, { process: "ann", share: 1 });
      expectLiving(scene, back, { ann: 1, bob: 0, carl: 0 }, "after it has come back");
    },
  },
  {
    name: "a beat tells all that live, however few rows it asks for",
    needs: ["board"],
    async play(scene) {
      const names = Array.from({ length: 40 }, (_, index) => `p${String(index)}`);
      for (const process of names) await beat(scene, { process, share: 1 / 40 });
      const living = Object.fromEntries(names.map((name) => [name, 1 / 40]));
      for (const limit of [0, 1, 1_000]) {
        const news = await beat(scene, { process: "p0", share: 1 / 40, limit });
        expectLiving(scene, news, living, `with a page of at most ${String(limit)} rows`);
      }
    },
  },
  {
    name: "who lives, and with which share, outlives a crash; who has left does not come back",
    needs: ["board", "restart"],
    async play(scene) {
      await beat(scene, { process: "ann", share: 0.25 });
      await beat(scene, { process: "bob", share: 0.5 });
      await beat(scene, { process: "carl", share: 0.75 });
      await boardOf(scene).leave(processOf(scene, "carl"));
      await scene.crash();
      const news = await beat(scene, { process: "dora", share: 1 });
      expectLiving(scene, news, { ann: 0.25, bob: 0.5, dora: 1 }, "who lives after the crash");
    },
  },
  {
    name: "processes on one storage are told of each other",
    needs: ["board", "sharing"],
    async play(scene) {
      const otherStore = await scene.openAnother();
      await beat(scene, { process: "ann", share: 0.25 });
      const secondNews = await beat(scene, { process: "bob", share: 0.5, store: otherStore });
      expectLiving(scene, secondNews, { ann: 0.25, bob: 0.5 }, "what the other is told");
      const firstNews = await beat(scene, { process: "ann", share: 0.75 });
      expectLiving(scene, firstNews, { ann: 0.75, bob: 0.5 }, "what the first is told");
      await boardIn(otherStore).leave(processOf(scene, "bob"));
      expectLiving(scene, await beat(scene, { process: "ann" }), { ann: 0 }, "once the other has left");
      await otherStore.close();
    },
  },
  {
    name: "a board changes no delivery: what is stored is found, claimed and counted as before",
    needs: ["board"],
    async play(scene) {
      const { lane } = scene;
      const id = await scene.acceptOne();
      const backoff = { probes: 9, probeAt: scene.later(HOUR_MS), prober: processOf(scene, "ann") };
      await boardOf(scene).write([{ lane, revision: 1, limit: 1, backoff, holds: [] }]);
      await readBoard(scene, { process: "ann" });
      expectEqual(await scene.claimIds(), [id], "what a claim hands out");
      await boardOf(scene).leave(processOf(scene, "ann"));
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "beside a board");
    },
  },
];

/** Lifetimes of processes; the tests try both edges of each. */
const LIVES_MS = [0, 1, 6_000, 2 ** 31, 2 ** 40];

export const LIVING_PROCESS_CASES: readonly StoreCase[] = [
  {
    name: "a process lives after its beat for the time that the asking process gives, and not a millisecond longer",
    needs: ["board"],
    async play(scene) {
      for (const liveForMs of LIVES_MS) await expectEdge(scene.anew(), liveForMs, 1);
    },
  },
  {
    name: "a process whose beat is ahead of the clock lives if it is ahead by at most the lifetime",
    needs: ["board"],
    async play(scene) {
      for (const liveForMs of LIVES_MS) await expectEdge(scene.anew(), liveForMs, -1);
    },
  },
  {
    name: "a process lives from its latest beat on, also if that has an earlier instant than the one before",
    needs: ["board"],
    async play(scene) {
      const at = (ms: number): EpochMs => scene.later(ms);
      const liveForMs = 6_000;
      await beat(scene, { process: "later", now: at(0) });
      await beat(scene, { process: "later", now: at(5_000), liveForMs });
      const later = await beat(scene, { process: "bob", now: at(6_001), liveForMs });
      expectLiving(scene, later, { later: 0, bob: 0 }, "after a second beat");
      const newScene = scene.anew();
      await beat(newScene, { process: "earlier", now: at(10_000) });
      const back = await beat(newScene, { process: "earlier", now: at(0), liveForMs });
      expectLiving(newScene, back, { earlier: 0 }, "what a process is told whose clock was set back");
      const earlier = await beat(newScene, { process: "bob", now: at(-6_000), liveForMs });
      expectLiving(newScene, earlier, { earlier: 0, bob: 0 }, "after the clock was set back");
    },
  },
  {
    name: "a process that lives no more is removed: no later beat tells of it until it beats again",
    needs: ["board"],
    async play(scene) {
      await beat(scene, { process: "ann", share: 0.5 });
      await beat(scene, { process: "bob", now: scene.later(6_001), liveForMs: 6_000 });
      for (const instant of [scene.later(6_001), scene.now()]) {
        const news = await beat(scene, { process: "bob", now: instant });
        expectLiving(scene, news, { bob: 0 }, "what is told of a process that was removed");
      }
      const back = await beat(scene, { process: "ann", share: 0.75 });
      expectLiving(scene, back, { ann: 0.75, bob: 0 }, "what it is told when it beats again");
    },
  },
  {
    name: "by the clock of a store a process lives for its time, however wrong the clocks of callers are",
    needs: ["board", "clock"],
    async play(scene) {
      const store = await scene.openWithClock();
      for (const wrongByMs of [-HOUR_MS, HOUR_MS]) {
        const newScene = scene.anew();
        const [wrongNow, oppositeNow] = [newScene.later(wrongByMs), newScene.later(-wrongByMs)];
        await beat(newScene, { process: "ann", store, now: wrongNow, liveForMs: HOUR_MS });
        const news = await beat(newScene, { process: "bob", store, now: oppositeNow, liveForMs: HOUR_MS });
        expectLiving(newScene, news, { ann: 0, bob: 0 }, "who lives by a caller with another clock");
        await newScene.advance(60);
        const later = await beat(newScene, { process: "bob", store, now: wrongNow, liveForMs: 50 });
        expectLiving(newScene, later, { bob: 0 }, "who lives once the time is over, by a caller with the same clock");
      }
    },
  },
];

/** Expects that a process lives to the last millisecond, seen from after its beat (1) or from before it (-1), and no longer. */
async function expectEdge(scene: Scene, liveForMs: number, direction: 1 | -1): Promise<void> {
  const at = (ms: number): EpochMs => scene.later(direction * ms);
  const duration = `for ${String(liveForMs)} ms`;
  await beat(scene, { process: "ann", share: 0.5 });
  const news = await beat(scene, { process: "bob", now: at(liveForMs), liveForMs });
  expectLiving(scene, news, { ann: 0.5, bob: 0 }, `who lives ${duration}`);
  const later = await beat(scene, { process: "carl", now: at(liveForMs + 1), liveForMs });
  const living = liveForMs > 0 ? { bob: 0, carl: 0 } : { carl: 0 };
  expectLiving(scene, later, living, `who lives a millisecond later, ${duration}`);
}
