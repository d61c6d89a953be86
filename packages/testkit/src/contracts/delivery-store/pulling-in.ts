// The deliveries that `pullIn` brings forward in a lane after the clock was set back.

import type { PullInRequest } from "@postrider/core";
import { expectEqual } from "../check.js";
import { bytes, claimedDelivery, DEAD, DELIVERED, waitingDelivery } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const PULLING_IN_CASES: readonly StoreCase[] = [
  {
    name: "deliveries due too late are brought forward; those due in time, and other lanes, are not changed",
    async play(scene) {
      const { lane, otherLane } = scene;
      const inTime = await scene.acceptOne({ deliveries: [waitingDelivery(lane, scene.later(500))] });
      const tooFar = await scene.acceptOne({ deliveries: [waitingDelivery(lane, scene.later(501))] });
      await scene.accept({ deliveries: [waitingDelivery(otherLane, scene.later(900_000))] });
      expectEqual(await pullIn(scene, { dueAfter: scene.later(500) }), 1, "how many were brought forward");
      expectEqual(await scene.claimIds(), [tooFar], "what can be claimed now");
      await scene.advance(500);
      expectEqual(await scene.claimIds(), [inTime], "what can be claimed later");
      expectEqual(await scene.claimIds({ lane: otherLane }), [], "what can be claimed of the other lane");
    },
  },
  {
    name: "at most `limit` deliveries are brought forward at once, and repeating it does the rest",
    async play(scene) {
      for (let message = 0; message < 3; message += 1) {
        await scene.acceptOne({ deliveries: [waitingDelivery(scene.lane, scene.later(900_000))] });
      }
      expectEqual(await pullIn(scene, { limit: 2 }), 2, "how many were brought forward first");
      expectEqual(await pullIn(scene, { limit: 2 }), 1, "how many were brought forward then");
      expectEqual(await pullIn(scene, { limit: 2 }), 0, "how many were brought forward in the end");
      await scene.expectCounts({ accepted: 3, waiting: 3 }, "after it");
    },
  },
  {
    name: "a lease that ends too late ends sooner, and its token still settles",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const dueAt = scene.later(100);
      expectEqual(await pullIn(scene, { dueAfter: scene.later(LEASE_MS - 1), dueAt }), 1, "how many leases");
      const { state, dueAt: endsAt } = await scene.record(id);
      expectEqual({ state, endsAt }, { state: "claimed", endsAt: dueAt }, "the delivery after it");
      expectEqual(await scene.settle({ id, outcome: DELIVERED }), "settled", "the settlement under its token");
    },
  },
  {
    name: "bringing forward changes no counter, and finished deliveries stay as they are",
    async play(scene) {
      const { lane } = scene;
      const finished = [await scene.finish(DELIVERED), await scene.finish(DEAD)];
      const before = await Promise.all(finished.map((id) => scene.record(id)));
      await scene.accept({
        body: bytes("123"),
        deliveries: [waitingDelivery(lane, scene.later(900_000)), claimedDelivery(lane)],
      });
      const counts = { accepted: 4, waiting: 1, claimed: 1, delivered: 1, dead: 1 };
      await scene.expectCounts(counts, "before");
      expectEqual(await pullIn(scene, { dueAt: scene.later(1) }), 2, "how many were brought forward");
      await scene.expectCounts(counts, "after it");
      expectEqual(await Promise.all(finished.map((id) => scene.record(id))), before, "what is finished");
      const { lanes } = await scene.store().lanes({ limit: 100_000 }, scene.now());
      const told = { lane, deliveries: 2, bytes: 6, nextDueAt: scene.later(1) };
      expectEqual(
        lanes.find((row) => row.lane === lane),
        told,
        "the lane",
      );
    },
  },
];

function pullIn(scene: Scene, given: Partial<PullInRequest>): Promise<number> {
  const request = { lane: scene.lane, dueAfter: scene.later(1), dueAt: scene.now(), limit: 100, ...given };
  return scene.store().pullIn(request, scene.now());
}
