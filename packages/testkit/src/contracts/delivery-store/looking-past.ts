// A limit counts what is changed, not what is looked at: a lane's deliveries that a request leaves as they are use up none of
// it, so that fewer changes than the limit mean that nothing is left.

import type { EpochMs } from "@postrider/core";
import { expectEqual } from "../check.js";
import { waitingDelivery } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";

const LIMIT = 2;

export const LOOKING_PAST_CASES: readonly StoreCase[] = [
  {
    name: "deliveries that an end leaves as they are use up none of its limit, whichever were stored first",
    async play(scene) {
      const young = scene.now();
      const old = scene.later(-1);
      for (const receivedAt of [young, young, young, old, old, old, young, young]) await scene.accept({ receivedAt });
      const request = { lane: scene.lane, reason: "expired", acceptedBefore: young, limit: LIMIT } as const;
      const ended = await untilFew(() => scene.store().end(request, scene.now()));
      expectEqual(ended, [2, 1], "how many each end ended");
    },
  },
  {
    name: "deliveries that are not brought forward use up none of the limit, whichever were stored first",
    async play(scene) {
      const [soon, late] = [scene.later(10), scene.later(1_000)];
      for (const dueAt of [soon, soon, soon, late, late, late, soon, soon]) await acceptDueAt(scene, dueAt);
      const request = { lane: scene.lane, dueAfter: scene.later(500), dueAt: scene.later(500), limit: LIMIT };
      const pulled = await untilFew(() => scene.store().pullIn(request, scene.now()));
      expectEqual(pulled, [2, 1], "how many each call brought forward");
    },
  },
];

function acceptDueAt(scene: Scene, dueAt: EpochMs): Promise<readonly string[]> {
  return scene.accept({ deliveries: [waitingDelivery(scene.lane, dueAt)] });
}

/** What each call answers, up to the first that answers fewer than the limit, as a relay repeats it. */
async function untilFew(change: () => Promise<number>): Promise<readonly number[]> {
  const answers: number[] = [];
  while ((answers.at(-1) ?? LIMIT) >= LIMIT && answers.length < 5) answers.push(await change());
  return answers;
}
