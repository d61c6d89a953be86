// A commit with a part of each kind, and what of it is there: all, or nothing. Knows no fault.

import { type Changes, type DeliveryId, NO_COUNTS } from "@postrider/core";
import { expectEqual, toPlainJson } from "../check.js";
import { attempt, claimedDelivery, DELIVERED, waitingDelivery } from "./samples.js";
import type { Scene } from "./scene.js";

export interface WholeCommit {
  readonly changes: Pick<Changes, "accept" | "settle" | "replay" | "append">;
  /** Whether all of it is there, or nothing; throws if it is a part. */
  readonly isThere: () => Promise<boolean>;
  /** Expects that all of it is there, or nothing. */
  readonly expectThere: (expected: boolean, when: string) => Promise<void>;
}

/** Prepares the commit in a scene that has nothing else. */
export async function prepareWholeCommit(scene: Scene): Promise<WholeCommit> {
  const done = await scene.finish(DELIVERED);
  const open = await scene.acceptOne({ deliveries: [claimedDelivery(scene.lane)] });
  const token = scene.commitToken();
  const two = [waitingDelivery(scene.lane, scene.now()), waitingDelivery(scene.otherLane, scene.now())];

  async function isThere(): Promise<boolean> {
    const seen = JSON.stringify(toPlainJson(await look(scene, { done, open })));
    if (seen === ABSENT || seen === WHOLE) return seen === WHOLE;
    throw new Error(`a part of a commit is there\n  nothing:  ${ABSENT}\n  all of it: ${WHOLE}\n  but saw:  ${seen}`);
  }

  return {
    changes: {
      accept: [scene.message({ deliveries: two }), scene.message()],
      settle: [{ id: open, token, outcome: DELIVERED, attempts: [attempt(scene.now())], endpoints: [] }],
      replay: [{ of: done, start: { kind: "waiting", dueAt: scene.now() } }],
      append: [{ id: done, attempt: attempt(scene.now()) }],
    },
    isThere,
    expectThere: async (expected, when) =>
      expectEqual(await isThere(), expected, `whether the commit is there ${when}`),
  };
}

const STATES = { accepted: 2, claimed: 1, delivered: 1, received: 2 };
const ALL_STATES = { accepted: 6, waiting: 4, delivered: 2, received: 4 };
const ABSENT = JSON.stringify(
  toPlainJson({ listed: 2, open: "claimed after 0", done: 0, counts: { ...NO_COUNTS, ...STATES } }),
);
const WHOLE = JSON.stringify(
  toPlainJson({ listed: 6, open: "delivered after 1", done: 1, counts: { ...NO_COUNTS, ...ALL_STATES } }),
);

async function look(
  scene: Scene,
  { done, open }: { readonly done: DeliveryId; readonly open: DeliveryId },
): Promise<unknown> {
  const { deliveries } = await scene.store().list({ source: scene.source, limit: 20 });
  const { state, attemptCount } = await scene.record(open);
  const row = (await scene.store().counts()).find(({ source }) => source === scene.source);
  const counts = { ...NO_COUNTS, ...row, source: undefined };
  return {
    ...{ listed: deliveries.length, open: `${state} after ${String(attemptCount)}` },
    ...{ done: (await scene.record(done)).attemptCount, counts },
  };
}
