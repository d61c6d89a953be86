// Cases of two rare things in a row, such as a sweep and a crash: a store that does well after either may fail after both.

import { HOUR_MS } from "@postrider/core/engine";
import type { DeliveryId } from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";
import { boardRow, expectRows, namedLane, readBoard, writeRows } from "./board-scene.js";
import {
  attempt,
  bytes,
  claimedDelivery,
  DEAD,
  DELIVERED,
  endpoint,
  endpointState,
  rescheduledOutcome,
} from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";
import { sweepInSlices, sweptDelivery } from "./sweep.js";
import { deletionScene, listSuppressed } from "./users.js";

/** Longer than all windows of a store, such as that of duplicates. */
const MORE_THAN_A_DAY_MS: number = 25 * HOUR_MS;

export const RARE_PAIR_CASES: readonly StoreCase[] = [
  {
    name: "after a sweep of the newest deliveries and a crash, none of their ids is used again, and no counter is lower",
    needs: ["restart", "exactSweeps"],
    async play(scene) {
      const ids: DeliveryId[] = [];
      for (let time = 0; time < 3; time += 1) {
        ids.push(await sweptDelivery(scene));
        await scene.crash();
        const { appended } = await scene.commit({ append: ids.map((id) => ({ id, attempt: attempt(scene.now()) })) });
        expectEqual(new Set(appended), new Set(["gone"]), "the answers to late attempts of swept deliveries");
        await scene.expectCounts({ accepted: time + 1, delivered: time + 1 }, "after the crash");
      }
      expectEqual(new Set(ids).size, ids.length, "how many ids differ");
    },
  },
  {
    name: "a delivery that waits for more than a day is claimed with its body",
    needs: ["days"],
    async play(scene) {
      const body = bytes('{"waits":true}');
      const id = await scene.acceptOne({ body });
      await scene.advance(MORE_THAN_A_DAY_MS);
      const claimed = await scene.claimOne();
      expectEqual({ id: claimed.id, body: claimed.body }, { id, body }, "the delivery as claimed");
    },
  },
  {
    name: "a row of the board that is not written for more than a day is still told",
    needs: ["board", "days"],
    async play(scene) {
      const row = boardRow(namedLane(scene, "old"), 1);
      await writeRows(scene, [row]);
      await scene.advance(MORE_THAN_A_DAY_MS);
      expectRows((await readBoard(scene)).rows, [row], "the row a day later");
    },
  },
  {
    name: "a delivery that is claimed after another claim of it has lapsed was due when that lease ended",
    async play(scene) {
      const leaseUntil = scene.later(LEASE_MS);
      const id = await scene.acceptOne({ deliveries: [claimedDelivery(scene.lane)] });
      await scene.advance(LEASE_MS + 500);
      const claimed = await scene.claimOne();
      expectEqual({ id: claimed.id, dueAt: claimed.dueAt }, { id, dueAt: leaseUntil }, "the delivery as claimed");
    },
  },
  {
    name: "an endpoint that answers with a body and then with none has no excerpt",
    async play(scene) {
      const id = await scene.acceptOne();
      for (const [round, states] of [
        [1, [endpointState("a", false, bytes("busy"))]],
        [2, [endpointState("a", false)]],
      ] as const) {
        await scene.claimOne();
        const attempts = [attempt(scene.now(), { round })];
        await scene.settle({ id, outcome: rescheduledOutcome(scene.now()), attempts, endpoints: states });
        expectEqual((await scene.record(id)).endpoints, states, `the endpoints after round ${String(round)}`);
      }
    },
  },
  {
    name: "late attempts of one delivery in commits that follow each other are all recorded",
    async play(scene) {
      const id = await scene.finish(DELIVERED);
      const lateAttempts = ["a", "b", "c"].map((name) => attempt(scene.now(), { endpoint: endpoint(name) }));
      for (const lateAttempt of lateAttempts) await scene.commit({ append: [{ id, attempt: lateAttempt }] });
      expectEqual((await scene.record(id)).attempts, lateAttempts, "the attempts");
    },
  },
  {
    name: "a late attempt, or a replay, does not change the time at which a delivery finished: it is swept as early",
    needs: ["exactSweeps"],
    async play(scene) {
      const ids = [await scene.finish(DELIVERED), await scene.finish(DELIVERED), await scene.finish(DEAD)];
      const finishedBefore = scene.later(1);
      await scene.advance(5);
      const start = { kind: "waiting", dueAt: scene.now() } as const;
      const append = ids.slice(0, 1).map((id) => ({ id, attempt: attempt(scene.now()) }));
      await scene.commit({ append, replay: ids.slice(1).map((of) => ({ of, start })) });
      await sweepInSlices(scene, finishedBefore);
      expectEqual(await leftOf(scene, ids), [], "what is left of those that finished");
    },
  },
  {
    name: "a sibling that finishes later does not change the time at which a delivery finished: it is swept as early",
    needs: ["exactSweeps"],
    async play(scene) {
      const deliveries = [claimedDelivery(scene.lane), claimedDelivery(scene.otherLane)];
      const ids = await scene.accept({ deliveries });
      const [token, attempts] = [scene.commitToken(), [attempt(scene.now())]];
      const settleOne = async (id: DeliveryId) =>
        expectEqual(await scene.settle({ id, token, outcome: DELIVERED, attempts }), "settled", "the settlement");
      await Promise.all(ids.slice(0, 1).map(settleOne));
      const finishedBefore = scene.later(1);
      await scene.advance(5);
      await Promise.all(ids.slice(1).map(settleOne));
      await sweepInSlices(scene, finishedBefore);
      expectEqual(await leftOf(scene, ids), ids.slice(1), "what is left of the siblings");
      const records = await Promise.all(ids.slice(1).map((id) => scene.record(id)));
      expectEqual(
        records.map((record) => record.attempts),
        [attempts],
        "the attempts of the one that is left",
      );
    },
  },
  {
    name: "a purge does not change the time at which a delivery finished: it is swept as early",
    needs: ["deletions", "exactSweeps"],
    async play(scene) {
      const { user, open, purge } = deletionScene(scene);
      const userIds = [user("ann")];
      const ids = [await scene.finish(DELIVERED, { userIds }), await scene.finish(DEAD, { userIds })];
      const finishedBefore = scene.later(1);
      await scene.advance(5);
      await open({ userIds });
      await purge();
      await sweepInSlices(scene, finishedBefore);
      expectEqual(await leftOf(scene, ids), [], "what is left of those that finished");
    },
  },
  {
    name: "a replay says which delivery it sends again, also once that was swept",
    needs: ["exactSweeps"],
    async play(scene) {
      const of = await scene.finish(DEAD);
      const { replayed } = await scene.commit({
        replay: [{ of, start: { kind: "waiting", dueAt: scene.later(900) } }],
      });
      await scene.advance(1);
      await sweepInSlices(scene);
      expectEqual(await leftOf(scene, [of]), [], "what is left of the first delivery");
      const { replayOf } = await scene.record(expectPresent(replayed[0], "the id of the replay"));
      expectEqual(replayOf, of, "the delivery that the replay sends again");
    },
  },
  {
    name: "a purged delivery is found by none of its users, takes late attempts, and says which delivery it sends again",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, purge } = deletionScene(scene);
      const userIds = [user("ann"), user("bob")];
      const ids = [await scene.finish(DELIVERED, { userIds }), await scene.finish(DEAD, { userIds })];
      const replay = ids.map((of) => ({ of, start: { kind: "waiting", dueAt: scene.now() } as const }));
      const { replayed } = await scene.commit({ replay });
      await open({ userIds: [user("ann")] });
      await purge();
      const replays = await Promise.all(replayed.map((id) => scene.record(expectPresent(id, "the id of a replay"))));
      expectEqual(
        replays.map(({ replayOf }) => replayOf),
        ids,
        "the deliveries that the purged replays send again",
      );
      const pages = await Promise.all(userIds.map((userId) => scene.store().list({ userId, limit: 9 })));
      expectEqual(
        pages.map(({ deliveries }) => deliveries),
        [[], []],
        "what is found by each user",
      );
      const { appended } = await scene.commit({ append: ids.map((id) => ({ id, attempt: attempt(scene.now()) })) });
      const counts = await Promise.all(ids.map(async (id) => (await scene.record(id)).attemptCount));
      expectEqual(
        [appended, counts],
        [
          ["appended", "appended"],
          [1, 1],
        ],
        "the answers, and the attempts of each",
      );
    },
  },
  {
    name: "suppressed users have the same order in pages of any size",
    needs: ["deletions"],
    async play(scene) {
      const moves = deletionScene(scene);
      const names = ["z", "B", "a", "Z", "é", "b", "10", "9", "_", "-", "A", "\u{1f600}", "\uffff", "e"];
      await moves.open({ userIds: names.map(moves.user), regulation: "suppress-only" });
      const [ones, threes] = [await listSuppressed(moves, 1), await listSuppressed(moves, 3)];
      expectEqual(ones, threes, "the users of this case in pages of one, as in pages of three");
      expectEqual(ones.toSorted(), names.map(moves.user).toSorted(), "the users of this case");
    },
  },
  {
    name: "a page of unfinished requests goes on behind a request that was finished after the page before",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, user, deletion, open, purge } = deletionScene(scene);
      for (const name of ["1", "2", "3"]) await open({ name, userIds: [user("ann")], regulation: "suppress-only" });
      const firstPage = await deletions().list({ unfinished: true, limit: 1 });
      expectEqual(idsIn(firstPage), [deletion("3")], "the first page");
      await purge(deletion("3"));
      expectEqual(await deletions().finish(deletion("3"), scene.now()), true, "whether the request is finished");
      const secondPage = await deletions().list({ unfinished: true, limit: 2, after: deletion("3") });
      expectEqual(idsIn(secondPage), [deletion("2"), deletion("1")], "the page behind it");
    },
  },
];

/** Those of these deliveries that are still there. */
async function leftOf(scene: Scene, ids: readonly DeliveryId[]): Promise<readonly DeliveryId[]> {
  const records = await Promise.all(ids.map((id) => scene.store().find(id)));
  return ids.filter((_, index) => records[index] !== undefined);
}

function idsIn({ deletions }: { readonly deletions: readonly { readonly id: string }[] }): readonly string[] {
  return deletions.map(({ id }) => id);
}
