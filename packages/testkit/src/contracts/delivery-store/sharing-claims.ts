// How a claim is divided between deliveries that were tried before and those never tried.

import { type DeliveryId, deliveryId } from "@postrider/core";
import { expectEqual } from "../check.js";
import { attempt, rescheduledOutcome, waitingDelivery } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";

export const CLAIM_SHARE_CASES: readonly StoreCase[] = [
  {
    name: "a claim with a number of retries hands out that many retries; the rest were never tried",
    async play(scene) {
      const tried = await triedBefore(scene, [-9, -8, -7]);
      const untried = await neverTried(scene, [-3, -2, -1]);
      await expectClaimed(scene, { limit: 3, retries: 1 }, [...tried.slice(0, 1), ...untried.slice(0, 2)]);
      await expectClaimed(scene, { limit: 3, retries: 2 }, [...tried.slice(1), ...untried.slice(2)]);
    },
  },
  {
    name: "each kind gets its share, whichever is due first",
    async play(scene) {
      const untried = await neverTried(scene, [-9, -8, -7]);
      const tried = await triedBefore(scene, [-3, -2, -1]);
      await expectClaimed(scene, { limit: 2, retries: 1 }, [...tried.slice(0, 1), ...untried.slice(0, 1)]);
      await expectClaimed(scene, { limit: 1, retries: 0 }, untried.slice(1, 2));
      await expectClaimed(scene, { limit: 1, retries: 1 }, tried.slice(1, 2));
    },
  },
  {
    name: "if fewer of one kind are due than its share, the other kind gets the rest",
    async play(scene) {
      const tried = await triedBefore(scene, [-9]);
      const untried = await neverTried(scene, [-8, -7, -6]);
      await expectClaimed(scene, { limit: 3, retries: 2 }, [...tried, ...untried.slice(0, 2)]);
      const more = await triedBefore(scene, [-5, -4]);
      await expectClaimed(scene, { limit: 3, retries: 1 }, [...more, ...untried.slice(2)]);
      await neverTried(scene, [60_000]);
      await triedBefore(scene, [60_000]);
      await expectClaimed(scene, { limit: 3, retries: 1 }, []);
    },
  },
  {
    name: "a claim without a number of retries hands out what is due first",
    async play(scene) {
      const [tried] = await triedBefore(scene, [-8]);
      const [first, second] = await neverTried(scene, [-9, -7]);
      expectEqual(await scene.claimIds({ limit: 2 }), [first, tried], "a claim of two");
      expectEqual(await scene.claimIds({ limit: 2 }), [second], "the next one");
    },
  },
  {
    name: "a delivery that was claimed and never tried counts as never tried, also after its lease",
    async play(scene) {
      const [released] = await neverTried(scene, [-9]);
      await scene.claimOne();
      await scene.settle({ id: released ?? deliveryId(""), outcome: { kind: "released", dueAt: scene.later(-5) } });
      const tried = await triedBefore(scene, [-7, -6]);
      await expectClaimed(scene, { limit: 2, retries: 1 }, [...tried.slice(0, 1), ...(released ? [released] : [])]);
    },
  },
];

/** Expects these deliveries in any order: the store may choose which kind comes first. */
async function expectClaimed(
  scene: Scene,
  share: { readonly limit: number; readonly retries: number },
  expected: readonly DeliveryId[],
): Promise<void> {
  const claimed = await scene.claimIds(share);
  const what = `a claim of ${String(share.limit)} with ${String(share.retries)} retries`;
  expectEqual(claimed.toSorted(), expected.toSorted(), what);
}

async function neverTried(scene: Scene, offsetsMs: readonly number[]): Promise<readonly DeliveryId[]> {
  const ids: DeliveryId[] = [];
  for (const offsetMs of offsetsMs) {
    ids.push(await scene.acceptOne({ deliveries: [waitingDelivery(scene.lane, scene.later(offsetMs))] }));
  }
  return ids;
}

async function triedBefore(scene: Scene, offsetsMs: readonly number[]): Promise<readonly DeliveryId[]> {
  const ids: DeliveryId[] = [];
  for (const offsetMs of offsetsMs) {
    const attempts = [attempt(scene.now())];
    ids.push(await scene.finish(rescheduledOutcome(scene.later(offsetMs)), { attempts }));
  }
  return ids;
}
