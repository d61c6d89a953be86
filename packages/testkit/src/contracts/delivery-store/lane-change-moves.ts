// All that changes a lane: the moves after which a store must tell it to those who ask for changes.

import { attempt, claimedDelivery, DEAD, DELIVERED, releasedOutcome, rescheduledOutcome } from "./samples.js";
import type { Scene } from "./scene.js";

export interface LaneChangeMove {
  readonly name: string;
  /** Prepares the lane, and answers the call that changes it. */
  readonly prepare: (scene: Scene) => Promise<() => Promise<unknown>>;
}

export const LANE_CHANGE_MOVES: readonly LaneChangeMove[] = [
  { name: "a waiting delivery was stored", prepare: (scene) => now(() => scene.acceptOne()) },
  {
    name: "a claimed delivery was stored",
    prepare: (scene) => now(() => scene.acceptOne({ deliveries: [claimedDelivery(scene.lane)] })),
  },
  { name: "a delivery was claimed", prepare: afterOne((scene) => scene.claim()) },
  { name: "a delivery was ended", prepare: afterOne((scene) => ended(scene)) },
  { name: "a lease was brought forward", prepare: afterClaim((scene) => pulledIn(scene)) },
  ...[DELIVERED, DEAD].map((outcome) => settling(outcome.kind, () => outcome)),
  settling("rescheduled", (scene) => rescheduledOutcome(scene.later(9_000))),
  settling("released", (scene) => releasedOutcome(scene.now())),
  {
    name: "a delivery was replayed",
    prepare: async (scene) => {
      const id = await scene.finish(DEAD);
      return () => scene.commit({ replay: [{ of: id, start: { kind: "waiting", dueAt: scene.now() } }] });
    },
  },
];

function settling(
  kind: string,
  outcomeOf: (scene: Scene) => Parameters<Scene["settle"]>[0]["outcome"],
): LaneChangeMove {
  const attemptsOf = (scene: Scene) => [attempt(scene.now())];
  return {
    name: `a delivery was settled as ${kind}`,
    prepare: async (scene) => {
      const id = await scene.acceptOne();
      await scene.claim();
      return () => scene.settle({ id, outcome: outcomeOf(scene), attempts: attemptsOf(scene) });
    },
  };
}

function now(call: () => Promise<unknown>): Promise<() => Promise<unknown>> {
  return Promise.resolve(call);
}

function afterOne(call: (scene: Scene) => Promise<unknown>): LaneChangeMove["prepare"] {
  return async (scene) => {
    await scene.acceptOne();
    return () => call(scene);
  };
}

function afterClaim(call: (scene: Scene) => Promise<unknown>): LaneChangeMove["prepare"] {
  return async (scene) => {
    await scene.acceptOne();
    await scene.claim();
    return () => call(scene);
  };
}

function ended(scene: Scene): Promise<number> {
  return scene.store().end({ lane: scene.lane, reason: "expired", limit: 5 }, scene.now());
}

function pulledIn(scene: Scene): Promise<number> {
  const request = { lane: scene.lane, dueAfter: scene.later(1), dueAt: scene.now(), limit: 5 };
  return scene.store().pullIn(request, scene.now());
}
