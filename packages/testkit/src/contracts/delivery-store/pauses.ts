// Cases of lanes that operators have paused: a pause is kept until it is resumed, by the lane as it was given, and has
// no effect on anything else that the store does.

import { type DestinationId, destinationId, epochMs, type LanePause, type PauseStore } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectEqual, expectPresent, rejectionCodeOf } from "../check.js";
import { expectEachItself, lookAlikes } from "../look-alikes.js";
import { atEachAccess, expectReadsOrRejections } from "./faults.js";
import type { Scene, StoreCase } from "./scene.js";

export const PAUSING_CASES: readonly StoreCase[] = [
  {
    name: "a lane that was paused is listed with its instant, also after a crash, until it is resumed",
    needs: ["pauses", "restart"],
    async play(scene) {
      const since = scene.now();
      await pausesOf(scene).add(scene.lane, since);
      await scene.advance(1);
      await pausesOf(scene).add(scene.otherLane, scene.now());
      await scene.crash();
      expectEqual(await mine(scene), { [scene.lane]: since, [scene.otherLane]: scene.now() }, "the paused lanes");
      await pausesOf(scene).remove(scene.lane);
      await scene.crash();
      expectEqual(await mine(scene), { [scene.otherLane]: scene.now() }, "the paused lanes after one was resumed");
    },
  },
  {
    name: "a lane that is paused twice is paused since the first time, and one resumed twice is not paused",
    needs: ["pauses"],
    async play(scene) {
      const first = scene.now();
      const pauses = pausesOf(scene);
      await pauses.add(scene.lane, first);
      await scene.advance(1);
      await pauses.add(scene.lane, scene.now());
      expectEqual(await mine(scene), { [scene.lane]: first }, "since when it is paused");
      for (let time = 0; time < 2; time += 1) await pauses.remove(scene.lane);
      expectEqual(await mine(scene), {}, "the paused lanes");
      await pauses.add(scene.lane, scene.now());
      expectEqual(await mine(scene), { [scene.lane]: scene.now() }, "since when it is paused again");
    },
  },
  {
    name: "a paused lane is distinct from all that look alike",
    needs: ["pauses"],
    async play(scene) {
      const lanes = lookAlikes().map((text) => destinationId(`${scene.lane}${text}`));
      for (const [place, lane] of lanes.entries()) await pausesOf(scene).add(lane, epochMs(place));
      const listed = await allPauses(scene, 50);
      expectEachItself(
        new Map(lanes.map((lane, place) => [lane, lanesAt(listed, place).filter((one) => lanes.includes(one))])),
        "the lane that was paused",
      );
      for (const lane of lanes) {
        await pausesOf(scene).remove(lane);
        const left = await pausesOf(scene).list({ limit: 10_000 });
        const gone = lanes.filter((one) => !left.some((pause) => pause.lane === one));
        expectEqual(gone, lanes.slice(0, lanes.indexOf(lane) + 1), "the lanes that are resumed");
      }
    },
  },
  {
    name: "paused lanes come in pages of any size, each once, also if the lane before a page is resumed",
    needs: ["pauses"],
    async play(scene) {
      const lanes = Array.from({ length: 5 }, (_, place) => destinationId(`${scene.lane}-${String(place)}`));
      for (const lane of lanes) await pausesOf(scene).add(lane, scene.now());
      for (const size of [1, 2, 5, 10_000]) {
        const listed = (await allPauses(scene, size)).map(({ lane }) => lane);
        expectEqual(listed.filter((lane) => lanes.includes(lane)).toSorted(), lanes, "the paused lanes of all pages");
      }
      expectEqual(await pausesOf(scene).list({ limit: 0 }), [], "a page of none");
      const order = (await allPauses(scene, 10_000)).map(({ lane }) => lane);
      const [, , third, ...others] = order.filter((lane) => lanes.includes(lane));
      await pausesOf(scene).remove(expectPresent(third, "a paused lane"));
      const behind = await pausesOf(scene).list({ limit: 10_000, ...defined({ after: third }) });
      expectEqual(
        behind.map(({ lane }) => lane).filter((lane) => lanes.includes(lane)),
        others,
        "the lanes that follow one that was resumed",
      );
    },
  },
  {
    name: "a pause is kept to the millisecond",
    needs: ["pauses"],
    async play(scene) {
      for (const ms of [0, 1, 2 ** 31, 2 ** 32, 1_767_225_600_123, 2 ** 53 - 2]) {
        await pausesOf(scene).add(scene.lane, epochMs(ms));
        expectEqual(await mine(scene), { [scene.lane]: epochMs(ms) }, "since when it is paused");
        await pausesOf(scene).remove(scene.lane);
      }
    },
  },
  {
    name: "a paused lane is claimed, counted and ended like any other: only the relay leaves it alone",
    needs: ["pauses"],
    async play(scene) {
      await pausesOf(scene).add(scene.lane, scene.now());
      const id = await scene.acceptOne();
      expectEqual(await scene.claimIds(), [id], "what a claim hands out");
      await scene.settle({ id, outcome: { kind: "released", dueAt: scene.now() } });
      const request = { lane: scene.lane, reason: "expired", limit: 9 } as const;
      expectEqual(await scene.store().end(request, scene.now()), 1, "how many were ended");
      await scene.expectCounts({ accepted: 1, dead: 1 }, "of a paused lane");
      expectEqual(Object.keys(await mine(scene)), [scene.lane], "the paused lanes");
    },
  },
  {
    name: "what one process pauses or resumes, another sees",
    needs: ["pauses", "sharing"],
    async play(scene) {
      const other = await scene.openAnother();
      await pausesOf(scene).add(scene.lane, scene.now());
      const pauses = expectPresent(other.pauses, "a store that supports `pauses`");
      expectEqual(
        of(scene, await pauses.list({ limit: 10_000 })),
        { [scene.lane]: scene.now() },
        "what the other sees",
      );
      await pauses.remove(scene.lane);
      expectEqual(await mine(scene), {}, "what is left when the other has resumed it");
      await other.close();
    },
  },
  {
    name: "a pause or its end that fails as `busy` has changed nothing, and takes effect when it is repeated",
    needs: ["pauses", "faults"],
    async play(scene) {
      for (const move of ["add", "remove"] as const) {
        await atEachAccess(scene, { code: "busy", at: "before" }, async (own, plan) => {
          const call = (): Promise<void> => pausesOf(own)[move](own.lane, own.now());
          if (move === "remove") await pausesOf(own).add(own.lane, own.now());
          const before = await mine(own);
          const hasHappened = own.gates.plan(plan);
          const code = await rejectionCodeOf(call());
          if (!hasHappened() || code === undefined) return false;
          expectEqual(code, "busy", `the code with which \`${move}\` rejects`);
          expectEqual(await mine(own), before, `the paused lanes after \`${move}\` has failed`);
          await call();
          const after = move === "add" ? { [own.lane]: own.now() } : {};
          expectEqual(await mine(own), after, `the paused lanes after \`${move}\` was repeated`);
          return true;
        });
      }
    },
  },
  {
    name: "a list of paused lanes that fails rejects: it never answers as if there were none",
    needs: ["pauses", "faults"],
    async play(scene) {
      await pausesOf(scene).add(scene.lane, scene.now());
      await expectReadsOrRejections(scene, [{ name: "list", read: () => mine(scene) }]);
    },
  },
];

function pausesOf(scene: Scene): PauseStore {
  return expectPresent(scene.store().pauses, "a store that supports `pauses`");
}

/** Since when each lane of this scene is paused. */
async function mine(scene: Scene): Promise<Readonly<Record<string, number>>> {
  return of(scene, await pausesOf(scene).list({ limit: 10_000 }));
}

function of({ lane, otherLane }: Scene, pauses: readonly LanePause[]): Readonly<Record<string, number>> {
  const own = pauses.filter((pause) => pause.lane === lane || pause.lane === otherLane);
  return Object.fromEntries(own.map((pause) => [pause.lane, pause.pausedAt]));
}

/** More pages than the lanes of all cases need. */
const MAX_PAGES = 20_000;

async function allPauses(scene: Scene, size: number): Promise<readonly LanePause[]> {
  const listed: LanePause[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const after = listed.at(-1)?.lane;
    const more = await pausesOf(scene).list({ limit: size, ...defined({ after }) });
    listed.push(...more);
    if (more.length < size) return listed;
  }
  throw new Error(`the paused lanes have no end after ${String(MAX_PAGES)} pages`);
}

function lanesAt(pauses: readonly LanePause[], at: number): readonly DestinationId[] {
  return pauses.filter(({ pausedAt }) => pausedAt === epochMs(at)).map(({ lane }) => lane);
}
