// A limit of 0 takes nothing, a limit of 1 takes one at a time, and one beyond all there is takes what there is.

import type { DestinationId } from "@postrider/core";
import { expectEqual } from "../check.js";
import { DEAD, DELIVERED, waitingDelivery } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";

export const BEYOND: number = Number.MAX_SAFE_INTEGER - 1;

/** A method with a limit: what it takes of three there are, by the limit. */
interface Limited extends Pick<StoreCase, "needs"> {
  readonly name: string;
  /** Makes three, and returns how many one call with a limit takes. */
  readonly prepare: (scene: Scene) => Promise<(limit: number) => Promise<number>>;
}

const LIMITED: readonly Limited[] = [
  {
    name: "a claim",
    prepare: async (scene) => {
      await acceptThree(scene);
      return async (limit) => (await scene.claimIds({ limit })).length;
    },
  },
  {
    name: "a claim of retries",
    prepare: async (scene) => {
      await acceptThree(scene);
      return async (limit) => (await scene.claimIds({ limit, retries: limit })).length;
    },
  },
  {
    name: "an end",
    prepare: async (scene) => {
      await acceptThree(scene);
      return (limit) => scene.store().end({ lane: scene.lane, reason: "expired", limit }, scene.now());
    },
  },
  {
    name: "a pull-in",
    prepare: async (scene) => {
      await acceptThree(scene, 900_000);
      const request = { lane: scene.lane, dueAfter: scene.later(1), dueAt: scene.now() };
      return (limit) => scene.store().pullIn({ ...request, limit }, scene.now());
    },
  },
  {
    name: "a sweep",
    needs: ["exactSweeps"],
    prepare: async (scene) => {
      await scene.advance(1);
      await sweep(scene, BEYOND);
      for (const outcome of [DELIVERED, DEAD, DELIVERED]) await scene.finish(outcome);
      await scene.advance(1);
      return (limit) => sweep(scene, limit);
    },
  },
];

export const REQUEST_LIMIT_CASES: readonly StoreCase[] = [
  ...LIMITED.map(({ name, prepare, needs = [] }) => ({
    needs,
    name: `${name} with a limit of 0 takes nothing, with 1 one at a time, and beyond all it takes all`,
    async play(scene: Scene): Promise<void> {
      const take = await prepare(scene);
      expectEqual(
        [await take(0), await take(1), await take(BEYOND), await take(BEYOND)],
        [0, 1, 2, 0],
        "what is taken",
      );
    },
  })),
];

export async function acceptThree(scene: Scene, delayMs = 0, lane: DestinationId = scene.lane): Promise<void> {
  const deliveries = [waitingDelivery(lane, scene.later(delayMs))];
  await scene.commit({ accept: [1, 2, 3].map(() => scene.message({ deliveries })) });
}

function sweep(scene: Scene, limit: number): Promise<number> {
  return scene.store().sweep({ deliveredBefore: scene.now(), deadBefore: scene.now(), limit }, scene.now());
}
