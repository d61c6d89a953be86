// The deliveries that `end` ends in a lane that may not be claimed.

import type { DeliveryId, EndRequest, EpochMs } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { attempt, DELIVERED, rescheduledOutcome, waitingDelivery } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const ENDING_CASES: readonly StoreCase[] = [
  {
    name: "waiting deliveries of a lane are ended with a reason, whether due or not; other lanes are not changed",
    async play(scene) {
      const { lane, otherLane } = scene;
      const due = await scene.acceptOne();
      const notDue = await scene.acceptOne({ deliveries: [waitingDelivery(lane, scene.later(500))] });
      const elsewhere = await scene.acceptOne({ deliveries: [waitingDelivery(otherLane, scene.now())] });
      expectEqual(await end(scene, { reason: "destination-removed" }), 2, "how many were ended");
      for (const id of [due, notDue]) {
        const { state, reason, dueAt } = await scene.record(id);
        expectEqual({ state, reason, dueAt }, { state: "dead", reason: "destination-removed" }, "an ended delivery");
      }
      expectEqual((await scene.record(elsewhere)).state, "waiting", "the state of one in another lane");
      await scene.expectCounts({ accepted: 3, waiting: 1, dead: 2 }, "after it");
      expectEqual(await scene.claimIds(), [], "what is left to claim");
    },
  },
  {
    name: "at most `limit` deliveries are ended at once, and repeating it ends the rest",
    async play(scene) {
      for (let message = 0; message < 3; message += 1) await scene.acceptOne();
      expectEqual(await end(scene, { limit: 2 }), 2, "how many were ended first");
      expectEqual(await end(scene, { limit: 2 }), 1, "how many were ended then");
      expectEqual(await end(scene, { limit: 2 }), 0, "how many were ended in the end");
    },
  },
  {
    name: "a delivery keeps its detail when it is ended",
    async play(scene) {
      const id = await failAt(scene, scene.now(), "timeout");
      await end(scene, { reason: "expired" });
      const { reason, detail } = await scene.record(id);
      expectEqual({ reason, detail }, { reason: "expired", detail: "timeout" }, "the reason and the detail");
    },
  },
  {
    name: "an ended delivery gets the detail of the request, if that has one",
    async play(scene) {
      const failed = await failAt(scene, scene.now(), "timeout");
      const untried = await scene.acceptOne();
      await end(scene, { reason: "refused", detail: "forbidden-address" });
      for (const id of [failed, untried]) {
        const { reason, detail } = await scene.record(id);
        expectEqual(
          { reason, detail },
          { reason: "refused", detail: "forbidden-address" },
          "the reason and the detail",
        );
      }
    },
  },
  {
    name: "by window, only deliveries first tried before an instant are ended, and never one that was not tried",
    async play(scene) {
      const before = await failAt(scene, scene.later(-2));
      const at = await failAt(scene, scene.later(-1));
      const untried = await scene.acceptOne({ receivedAt: scene.later(-900_000) });
      expectEqual(
        await end(scene, { reason: "expired", firstAttemptBefore: scene.later(-1) }),
        1,
        "how many were ended",
      );
      expectEqual((await scene.record(before)).state, "dead", "the state of the one tried before");
      expectEqual((await scene.record(at)).state, "waiting", "the state of the one tried at that instant");
      expectEqual((await scene.record(untried)).state, "waiting", "the state of the one never tried");
    },
  },
  {
    name: "by age, only deliveries accepted before an instant are ended",
    async play(scene) {
      const before = await scene.acceptOne({ receivedAt: scene.later(-2) });
      const at = await scene.acceptOne({ receivedAt: scene.later(-1) });
      expectEqual(await end(scene, { acceptedBefore: scene.later(-1) }), 1, "how many were ended");
      expectEqual((await scene.record(before)).state, "dead", "the state of the older one");
      expectEqual((await scene.record(at)).state, "waiting", "the state of the other");
    },
  },
  {
    name: "a delivery under a valid lease is not ended; one whose lease is over is, and its settlement is then stale",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      expectEqual(await end(scene, {}), 0, "how many were ended while the lease lives");
      await scene.advance(LEASE_MS);
      expectEqual(await end(scene, {}), 1, "how many were ended once it is over");
      expectEqual(await scene.settle({ id, outcome: DELIVERED }), "stale", "the settlement after that");
      expectEqual((await scene.record(id)).state, "dead", "the state in the end");
    },
  },
  {
    name: "an ended delivery keeps its body and can be replayed",
    async play(scene) {
      const of = await scene.acceptOne();
      await end(scene, {});
      const { replayed } = await scene.commit({ replay: [{ of, start: { kind: "waiting", dueAt: scene.now() } }] });
      expectThat(replayed[0] !== undefined, "what was ended was not replayed");
      expectEqual((await scene.claimOne()).body, (await scene.record(of)).body, "the body as claimed");
    },
  },
];

function end(scene: Scene, given: Partial<EndRequest>): Promise<number> {
  return scene.store().end({ lane: scene.lane, reason: "destination-removed", limit: 100, ...given }, scene.now());
}

/** A delivery whose first attempt started at that instant and failed, and which waits for its next round. */
async function failAt(scene: Scene, startedAt: EpochMs, detail = "503"): Promise<DeliveryId> {
  const outcome = rescheduledOutcome(scene.later(500), detail);
  return scene.finish(outcome, { attempts: [attempt(startedAt)] });
}
