// How long a process of a board lives after its beat: to the millisecond, by the time of the beat that asks.

import type { EpochMs } from "@postrider/core";
import { HOUR_MS } from "@postrider/core/engine";
import { beat, expectLiving } from "./board-scene.js";
import type { Scene, StoreCase } from "./scene.js";

/** How long processes live, of which each edge is tried. */
const LIVES_MS = [0, 1, 6_000, 2 ** 31, 2 ** 40];

export const LIVING_PROCESS_CASES: readonly StoreCase[] = [
  {
    name: "a process lives for as long after its beat as the asking one says, and not a millisecond longer",
    needs: ["board"],
    async play(scene) {
      for (const liveForMs of LIVES_MS) await expectEdge(scene.anew(), liveForMs, 1);
    },
  },
  {
    name: "a process whose beat is ahead of the clock lives if it is so by no more than a process lives",
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
      const own = scene.anew();
      await beat(own, { process: "earlier", now: at(10_000) });
      const back = await beat(own, { process: "earlier", now: at(0), liveForMs });
      expectLiving(own, back, { earlier: 0 }, "what a process is told whose clock was set back");
      const earlier = await beat(own, { process: "bob", now: at(-6_000), liveForMs });
      expectLiving(own, earlier, { earlier: 0, bob: 0 }, "after the clock was set back");
    },
  },
  {
    name: "a process that lives no more is removed: no later beat tells of it until it beats again",
    needs: ["board"],
    async play(scene) {
      await beat(scene, { process: "ann", share: 0.5 });
      await beat(scene, { process: "bob", now: scene.later(6_001), liveForMs: 6_000 });
      for (const now of [scene.later(6_001), scene.now()]) {
        const told = await beat(scene, { process: "bob", now });
        expectLiving(scene, told, { bob: 0 }, "what is told of a process that was removed");
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
        const own = scene.anew();
        const [wrong, other] = [own.later(wrongByMs), own.later(-wrongByMs)];
        await beat(own, { process: "ann", store, now: wrong, liveForMs: HOUR_MS });
        const told = await beat(own, { process: "bob", store, now: other, liveForMs: HOUR_MS });
        expectLiving(own, told, { ann: 0, bob: 0 }, "who lives by a caller with another clock");
        await own.advance(60);
        const later = await beat(own, { process: "bob", store, now: wrong, liveForMs: 50 });
        expectLiving(own, later, { bob: 0 }, "who lives once the time is over, by a caller with the same clock");
      }
    },
  },
];

/** Expects that a process lives to the last millisecond, seen from later (1) or from earlier (-1), and no longer. */
async function expectEdge(scene: Scene, liveForMs: number, direction: 1 | -1): Promise<void> {
  const at = (ms: number): EpochMs => scene.later(direction * ms);
  const what = `for ${String(liveForMs)} ms`;
  await beat(scene, { process: "ann", share: 0.5 });
  const told = await beat(scene, { process: "bob", now: at(liveForMs), liveForMs });
  expectLiving(scene, told, { ann: 0.5, bob: 0 }, `who lives ${what}`);
  const later = await beat(scene, { process: "carl", now: at(liveForMs + 1), liveForMs });
  const living = liveForMs > 0 ? { bob: 0, carl: 0 } : { carl: 0 };
  expectLiving(scene, later, living, `who lives a millisecond later, ${what}`);
}
