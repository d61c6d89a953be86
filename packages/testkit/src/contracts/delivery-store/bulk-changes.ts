// Cases of `end` and `pullIn`: they change at most `limit` deliveries of a lane. The limit counts the changed, not
// those looked at, so that fewer changes than the limit mean that nothing is left.

import type { DeliveryId, EndRequest, EpochMs, PullInRequest } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { attempt, DELIVERED, rescheduledOutcome, waitingDelivery, bytes, claimedDelivery, DEAD } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const ENDING_CASES: readonly StoreCase[] = [
  {
    name: "waiting deliveries of a lane are ended with a reason, whether due or not; other lanes are not changed",
    async play(scene) {
      const { lane, otherLane } = scene;
      const dueId = await scene.acceptOne();
      const laterId = await scene.acceptOne({ deliveries: [waitingDelivery(lane, scene.later(500))] });
      const otherId = await scene.acceptOne({ deliveries: [waitingDelivery(otherLane, scene.now())] });
      expectEqual(await end(scene, { reason: "destination-removed" }), 2, "how many were ended");
      for (const id of [dueId, laterId]) {
        const { state, reason, dueAt } = await scene.record(id);
        expectEqual({ state, reason, dueAt }, { state: "dead", reason: "destination-removed" }, "an ended delivery");
      }
      expectEqual((await scene.record(otherId)).state, "waiting", "the state of one in another lane");
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
      const failedAgain = await failAt(scene, scene.now(), "timeout");
      await end(scene, { reason: "refused", detail: "" });
      expectEqual((await scene.record(failedAgain)).detail, "", "the detail that is empty");
    },
  },
  {
    name: "by window, only deliveries first tried before an instant are ended, and never one that was not tried",
    async play(scene) {
      const earlierId = await failAt(scene, scene.later(-2));
      const atInstantId = await failAt(scene, scene.later(-1));
      const untried = await scene.acceptOne({ receivedAt: scene.later(-900_000) });
      expectEqual(
        await end(scene, { reason: "expired", firstAttemptBefore: scene.later(-1) }),
        1,
        "how many were ended",
      );
      expectEqual((await scene.record(earlierId)).state, "dead", "the state of the one tried before");
      expectEqual((await scene.record(atInstantId)).state, "waiting", "the state of the one tried at that instant");
      expectEqual((await scene.record(untried)).state, "waiting", "the state of the one never tried");
    },
  },
  {
    name: "by age, only deliveries accepted before an instant are ended",
    async play(scene) {
      const olderId = await scene.acceptOne({ receivedAt: scene.later(-2) });
      const youngerId = await scene.acceptOne({ receivedAt: scene.later(-1) });
      expectEqual(await end(scene, { acceptedBefore: scene.later(-1) }), 1, "how many were ended");
      expectEqual((await scene.record(olderId)).state, "dead", "the state of the older one");
      expectEqual((await scene.record(youngerId)).state, "waiting", "the state of the other");
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

function end(scene: Scene, fields: Partial<EndRequest>): Promise<number> {
  return scene.store().end({ lane: scene.lane, reason: "destination-removed", limit: 100, ...fields }, scene.now());
}

/** A delivery whose first attempt started at that instant and failed, and which waits for its next round. */
async function failAt(scene: Scene, startedAt: EpochMs, detail = "503"): Promise<DeliveryId> {
  const outcome = rescheduledOutcome(scene.later(500), detail);
  return scene.finish(outcome, { attempts: [attempt(startedAt)] });
}

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
      const finishedIds = [await scene.finish(DELIVERED), await scene.finish(DEAD)];
      const recordsBefore = await Promise.all(finishedIds.map((id) => scene.record(id)));
      await scene.accept({
        body: bytes("123"),
        deliveries: [waitingDelivery(lane, scene.later(900_000)), claimedDelivery(lane)],
      });
      const counts = { accepted: 4, waiting: 1, claimed: 1, delivered: 1, dead: 1 };
      await scene.expectCounts(counts, "before");
      expectEqual(await pullIn(scene, { dueAt: scene.later(1) }), 2, "how many were brought forward");
      await scene.expectCounts(counts, "after it");
      expectEqual(await Promise.all(finishedIds.map((id) => scene.record(id))), recordsBefore, "what is finished");
      const { lanes } = await scene.store().lanes({ limit: 100_000 }, scene.now());
      const expectedRow = { lane, deliveries: 2, bytes: 6, nextDueAt: scene.later(1) };
      expectEqual(
        lanes.find((row) => row.lane === lane),
        expectedRow,
        "the lane",
      );
    },
  },
];

function pullIn(scene: Scene, fields: Partial<PullInRequest>): Promise<number> {
  const request = { lane: scene.lane, dueAfter: scene.later(1), dueAt: scene.now(), limit: 100, ...fields };
  return scene.store().pullIn(request, scene.now());
}

const LIMIT = 2;

export const LOOKING_PAST_CASES: readonly StoreCase[] = [
  {
    name: "deliveries that an end leaves as they are use up none of its limit, whichever were stored first",
    async play(scene) {
      const young = scene.now();
      const old = scene.later(-1);
      for (const receivedAt of [young, young, young, old, old, old, young, young]) await scene.accept({ receivedAt });
      const request = { lane: scene.lane, reason: "expired", acceptedBefore: young, limit: LIMIT } as const;
      const endedCounts = await untilFew(() => scene.store().end(request, scene.now()));
      expectEqual(endedCounts, [2, 1], "how many each end ended");
    },
  },
  {
    name: "deliveries that are not brought forward use up none of the limit, whichever were stored first",
    async play(scene) {
      const [soon, late] = [scene.later(10), scene.later(1_000)];
      for (const dueAt of [soon, soon, soon, late, late, late, soon, soon]) await acceptDueAt(scene, dueAt);
      const request = { lane: scene.lane, dueAfter: scene.later(500), dueAt: scene.later(500), limit: LIMIT };
      const pulledCounts = await untilFew(() => scene.store().pullIn(request, scene.now()));
      expectEqual(pulledCounts, [2, 1], "how many each call brought forward");
    },
  },
];

function acceptDueAt(scene: Scene, dueAt: EpochMs): Promise<readonly string[]> {
  return scene.accept({ deliveries: [waitingDelivery(scene.lane, dueAt)] });
}

/** Repeats a call, as a relay does, until it answers fewer than the limit; returns all answers. */
async function untilFew(change: () => Promise<number>): Promise<readonly number[]> {
  const answers: number[] = [];
  while ((answers.at(-1) ?? LIMIT) >= LIMIT && answers.length < 5) answers.push(await change());
  return answers;
}
