// One commit of several arrivals: each gets its answers.

import { type DeliveryId, deliveryId } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { attempt, DEAD, DELIVERED, endpoint, rescheduledOutcome } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";

export const COMMITTING_CASES: readonly StoreCase[] = [
  {
    name: "a commit of many arrivals answers each list in its order",
    async play(scene) {
      const [done, gone] = [await scene.finish(DELIVERED), await scene.finish(DEAD)];
      const [first, second, third] = [await scene.acceptOne(), await scene.acceptOne(), await scene.acceptOne()];
      await scene.claim();
      await scene.accept({ messageId: "known" });
      const start = { kind: "waiting", dueAt: scene.later(500) } as const;
      const rest = { token: scene.claimToken(), attempts: [], endpoints: [] };
      const unknown = deliveryId("no such delivery");
      const committed = await scene.commit({
        accept: ["new", "known", "newer", "new"].map((messageId) => scene.message({ messageId })),
        settle: [
          { id: third, outcome: rescheduledOutcome(scene.later(500)), ...rest },
          { id: second, outcome: DELIVERED, ...rest, token: scene.token("forged") },
          { id: first, outcome: DEAD, ...rest },
        ],
        replay: [gone, unknown, done].map((of) => ({ of, start })),
        append: [unknown, done].map((id) => ({ id, attempt: attempt(scene.now()) })),
      });
      expectEqual(committed.settled, ["settled", "stale", "settled"], "the answers to the settlements");
      expectEqual(await statesOf(scene, [first, second, third]), ["dead", "claimed", "waiting"], "what became of them");
      expectEqual(committed.appended, ["gone", "appended"], "the answers to late attempts");
      const [ofGone, ofUnknown, ofDone] = committed.replayed;
      expectThat(ofUnknown === undefined, "a delivery that never was is replayed");
      for (const [id, replayOf] of [[ofGone, gone] as const, [ofDone, done] as const]) {
        expectEqual((await scene.record(expectPresent(id, "a replay"))).replayOf, replayOf, "what a replay repeats");
      }
      const kinds = committed.accepted.map(({ kind }) => kind);
      expectEqual(kinds, ["stored", "duplicate", "stored", "duplicate"], "the answers to the messages");
      const ids = committed.accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
      const messageIds = await Promise.all(ids.map(async (id) => (await scene.record(id)).messageId));
      expectEqual(messageIds, ["new", "newer"], "the messages behind the deliveries answered");
    },
  },
  {
    name: "a settlement and a late attempt of one delivery go into one commit",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const settled = attempt(scene.now(), { endpoint: endpoint("a") });
      const late = attempt(scene.now(), { endpoint: endpoint("b") });
      const committed = await scene.commit({
        settle: [{ id, token: scene.claimToken(), outcome: DELIVERED, attempts: [settled], endpoints: [] }],
        append: [{ id, attempt: late }],
      });
      expectEqual([committed.settled, committed.appended], [["settled"], ["appended"]], "the answers");
      const { state, attempts: recorded } = await scene.record(id);
      expectEqual({ state, recorded }, { state: "delivered", recorded: [settled, late] }, "the delivery after it");
    },
  },
  {
    name: "a delivery that a commit settles can be replayed by the same commit, and gets its late attempts",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const { settled, replayed, appended } = await scene.commit({
        append: [{ id, attempt: attempt(scene.now()) }],
        replay: [{ of: id, start: { kind: "waiting", dueAt: scene.now() } }],
        settle: [{ id, token: scene.claimToken(), outcome: DEAD, attempts: [], endpoints: [] }],
      });
      expectEqual([settled, appended], [["settled"], ["appended"]], "the answers to settlement and late attempt");
      expectThat(replayed[0] !== undefined, "a delivery that the commit settles before was not replayed");
      await scene.expectCounts({ accepted: 2, waiting: 1, dead: 1 }, "after it");
    },
  },
];

function statesOf(scene: Scene, ids: readonly DeliveryId[]): Promise<readonly string[]> {
  return Promise.all(ids.map(async (id) => (await scene.record(id)).state));
}
