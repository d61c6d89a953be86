// How long a claim is valid, and which settlements take effect.

import { expectEqual } from "../check.js";
import { attempt, DEAD, DELIVERED, releasedOutcome, rescheduledOutcome } from "./samples.js";
import { LEASE_MS, type StoreCase } from "./scene.js";

export const LEASING_CASES: readonly StoreCase[] = [
  {
    name: "a lease ends only by time, and on time",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      await scene.advance(LEASE_MS - 1);
      expectEqual(await scene.claimIds({ token: scene.token("second") }), [], "what is claimed 1 ms too early");
      await scene.advance(1);
      expectEqual(await scene.claimIds({ token: scene.token("second") }), [id], "what is claimed when the lease ends");
    },
  },
  {
    name: "a delivery whose lease has ended counts and lists as claimed until it is claimed again",
    async play(scene) {
      const id = await scene.acceptOne();
      const { leaseUntil } = await scene.claimOne();
      await scene.advance(LEASE_MS + 5);
      const { state, dueAt } = await scene.record(id);
      expectEqual({ state, dueAt }, { state: "claimed", dueAt: leaseUntil }, "the delivery after its lease");
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "after the lease");
      await scene.claimOne({ token: scene.token("second") });
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "after the second claim");
      expectEqual((await scene.record(id)).dueAt, scene.later(LEASE_MS), "the end of the second lease");
    },
  },
  {
    name: "a settlement after its lease has ended takes effect, unless the delivery was claimed again",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      await scene.advance(LEASE_MS + 5);
      expectEqual(await scene.settle({ id, outcome: DELIVERED }), "settled", "the late settlement");
      expectEqual(await scene.claimIds(), [], "what is left to claim");
    },
  },
  {
    name: "a settlement is stale, and changes nothing, once another claim holds the delivery",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne({ token: scene.token("first") });
      await scene.advance(LEASE_MS);
      await scene.claimOne({ token: scene.token("second") });
      const before = await scene.record(id);
      const late = { id, token: scene.token("first"), outcome: DELIVERED, attempts: [attempt(scene.now())] };
      expectEqual(await scene.settle(late), "stale", "the settlement of the first claim");
      expectEqual(await scene.record(id), before, "the delivery after it");
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "after it");
      const second = await scene.settle({ id, token: scene.token("second"), outcome: DEAD });
      expectEqual(second, "settled", "the settlement of the second claim");
    },
  },
  {
    name: "a settlement under an unknown token is stale",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const settled = await scene.settle({ id, token: scene.token("forged"), outcome: DELIVERED });
      expectEqual(settled, "stale", "the answer");
      expectEqual((await scene.record(id)).state, "claimed", "the state after it");
    },
  },
  {
    name: "a delivery that is not claimed cannot be settled",
    async play(scene) {
      const id = await scene.acceptOne();
      for (const token of [scene.commitToken(), scene.token("forged"), scene.token("")]) {
        const settled = await scene.settle({ id, token, outcome: DELIVERED });
        expectEqual(settled, "stale", "the answer");
      }
      expectEqual((await scene.record(id)).state, "waiting", "the state after it");
    },
  },
  {
    name: "a token settles at most once, in one commit or in two",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const once = { id, token: scene.claimToken(), outcome: DELIVERED, endpoints: [] };
      const settle = [1, 2].map((endedAfter) => ({ ...once, attempts: [attempt(scene.later(endedAfter))] }));
      expectEqual((await scene.commit({ settle })).settled, ["settled", "stale"], "two settlements in one commit");
      expectEqual((await scene.commit({ settle })).settled, ["stale", "stale"], "the same commit again");
      expectEqual((await scene.record(id)).attempts, [attempt(scene.later(1))], "the attempts recorded");
      await scene.expectCounts({ accepted: 1, delivered: 1 }, "after four settlements");
    },
  },
  {
    name: "a token is invalid once its delivery waits again",
    async play(scene) {
      const id = await scene.acceptOne();
      for (const outcome of [releasedOutcome(scene.now()), rescheduledOutcome(scene.now())]) {
        await scene.claimOne();
        expectEqual(await scene.settle({ id, outcome }), "settled", `the ${outcome.kind} settlement`);
        expectEqual(await scene.settle({ id, outcome: DEAD }), "stale", `a settlement after it was ${outcome.kind}`);
      }
      expectEqual((await scene.record(id)).state, "waiting", "the state in the end");
    },
  },
  {
    name: "a stale settlement, or one of an unknown delivery, does not stop the rest of its commit",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const none = { attempts: [], endpoints: [] };
      const settle = [
        { id: "no such delivery" as typeof id, token: scene.claimToken(), outcome: DELIVERED, ...none },
        { id, token: scene.token("forged"), outcome: DEAD, ...none },
        { id, token: scene.claimToken(), outcome: DELIVERED, ...none },
      ];
      const committed = await scene.commit({ accept: [scene.message()], settle });
      expectEqual(committed.settled, ["stale", "stale", "settled"], "the settlements");
      expectEqual(committed.accepted[0]?.kind, "stored", "the message beside them");
      await scene.expectCounts({ accepted: 2, waiting: 1, delivered: 1 }, "after it");
    },
  },
];
