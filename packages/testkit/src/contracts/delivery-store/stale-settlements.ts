// Settlements that come too late, twice or under an unknown token.

import { expectEqual } from "../check.js";
import { attempt, DEAD, DELIVERED, releasedOutcome, rescheduledOutcome } from "./samples.js";
import { LEASE_MS, type StoreCase } from "./scene.js";

export const STALE_SETTLEMENT_CASES: readonly StoreCase[] = [
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
