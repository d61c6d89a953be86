// Cases of purges: once a request is stored, no delivery of its users is handed out, and then their data is removed.

import { destinationId } from "@postrider/core";
import { audienceSource } from "@postrider/core/engine";
import { expectEqual, expectThat } from "../check.js";
import { deletionScene } from "./users.js";
import {
  attempt,
  bytes,
  DEAD,
  DELIVERED,
  endpointState,
  refusingOnce,
  releasedOutcome,
  rescheduledOutcome,
  waitingDelivery,
} from "./samples.js";
import { LEASE_MS, type StoreCase } from "./scene.js";

export const PURGING_CASES: readonly StoreCase[] = [
  {
    name: "a user's waiting deliveries are not handed out once a request is stored, but dead as purged",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      const annsId = await scene.acceptOne({ userIds: [user("ann")] });
      const bobsId = await scene.acceptOne({ userIds: [user("bob")] });
      const userlessId = await scene.acceptOne();
      await open({ userIds: [user("ann")] });
      expectEqual((await scene.claimIds()).toSorted(), [bobsId, userlessId].toSorted(), "what is handed out");
      const { state, reason, dueAt } = await scene.record(annsId);
      expectEqual({ state, reason, dueAt }, { state: "dead", reason: "purged" }, "the other one");
      await scene.expectCounts({ accepted: 3, claimed: 2, dead: 1 }, "after it");
    },
  },
  {
    name: "a user's claimed delivery may be delivered; settled in any other way it is dead as purged",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      for (let count = 0; count < 4; count += 1) await scene.accept({ userIds: [user("ann")] });
      const ids = await scene.claimIds();
      const token = scene.claimToken();
      await open({ userIds: [user("ann")] });
      const outcomes = [DELIVERED, rescheduledOutcome(scene.later(9)), DEAD, releasedOutcome(scene.now())];
      const attempts = [attempt(scene.now())];
      const settle = ids.map((id, index) => ({ id, token, outcome: outcomes[index] ?? DEAD, attempts, endpoints: [] }));
      const { settled } = await scene.commit({ settle });
      expectEqual(settled, ["settled", "purged", "purged", "purged"], "the answers to the settlements");
      const records = await Promise.all(ids.map((id) => scene.record(id)));
      const reasons = records.map(
        ({ reason = "delivered", attemptCount }) => `${reason} after ${String(attemptCount)}`,
      );
      expectEqual(
        reasons,
        ["delivered", "purged", "purged", "purged"].map((reason) => `${reason} after 1`),
        "each",
      );
      expectEqual(await scene.claimIds(), [], "what is handed out afterwards");
      await scene.expectCounts({ accepted: 4, delivered: 1, dead: 3 }, "after it");
    },
  },
  {
    name: "a user's audience messages are purged, even by a request that is limited to sources",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, purge } = deletionScene(scene);
      const audience = audienceSource(scene.source);
      const audienceDelivery = await scene.acceptOne({ source: audience, userIds: [user("ann")] });
      const callDelivery = await scene.acceptOne({ source: scene.otherSource, userIds: [user("ann")] });
      await open({ userIds: [user("ann")], sources: [scene.source] });
      expectEqual(await scene.claimIds(), [callDelivery], "what is handed out");
      await purge();
      const { state, body } = await scene.record(audienceDelivery);
      expectEqual({ state, body }, { state: "dead", body: undefined }, "what the audience told");
    },
  },
  {
    name: "a user's claimed delivery is not claimed again after its lease",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, purge } = deletionScene(scene);
      const [annsId] = await scene.accept({ userIds: [user("ann")] });
      await scene.claim();
      await open({ userIds: [user("ann")] });
      await scene.advance(LEASE_MS);
      expectEqual(await scene.claimIds(), [], "what is handed out");
      const [bobsId] = await scene.accept({ userIds: [user("bob")] });
      await scene.claim();
      await open({ name: "2", userIds: [user("bob")] });
      await purge();
      const { deletion } = deletionScene(scene);
      await purge(deletion("2"));
      await scene.advance(LEASE_MS);
      expectEqual(await scene.claimIds(), [], "what is handed out after the purge");
      const reasons = [annsId, bobsId].map(async (id) => (id === undefined ? "" : (await scene.record(id)).reason));
      expectEqual(await Promise.all(reasons), ["purged", "purged"], "why they are dead");
    },
  },
  {
    name: "a user's delivery that is ended is dead as purged",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      const id = await scene.acceptOne({ userIds: [user("ann")] });
      await open({ userIds: [user("ann")] });
      await scene.store().end({ lane: scene.lane, reason: "expired", limit: 5 }, scene.now());
      expectEqual((await scene.record(id)).reason, "purged", "why it is dead");
    },
  },
  {
    name: "a user's finished delivery is not replayed, neither before the purge nor after it",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, purge } = deletionScene(scene);
      const id = await scene.finish(DEAD, { userIds: [user("ann")] });
      await open({ userIds: [user("ann")] });
      const replay = [{ of: id, start: { kind: "waiting", dueAt: scene.now() } as const }];
      expectEqual((await scene.commit({ replay })).replayed.length, 1, "how many answers come");
      await purge();
      const { replayed } = await scene.commit({ replay });
      expectThat(replayed[0] === undefined, "what was purged is replayed");
      await scene.expectCounts({ accepted: 1, dead: 1 }, "after it");
    },
  },
  {
    name: "a purge removes bodies and excerpts of answers, and keeps the rest",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, purge, find } = deletionScene(scene);
      const endpoints = [endpointState("a", true, bytes("she lives here")), refusingOnce("b", scene.now())];
      const fields = { attempts: [attempt(scene.now())], endpoints };
      const deadId = await scene.finish(DEAD, { ...fields, userIds: [user("ann")] });
      const deliveredId = await scene.finish(DELIVERED, { ...fields, userIds: [user("ann")] });
      const waitingId = await scene.acceptOne({ userIds: [user("ann")] });
      const bobsId = await scene.finish(DEAD, { ...fields, userIds: [user("bob")] });
      const recordsBefore = await Promise.all([deadId, deliveredId, waitingId, bobsId].map((id) => scene.record(id)));
      await open({ userIds: [user("ann")] });
      await purge();
      const endpointStates = [endpointState("a", true), refusingOnce("b", scene.now())];
      const expected = recordsBefore.map(({ body: _, endpoints: __, dueAt: ___, ...record }, index) => {
        if (index === 3) return recordsBefore[3];
        const purged = index === 1 ? {} : { state: "dead", reason: "purged" };
        return { ...record, ...purged, endpoints: index === 2 ? [] : endpointStates };
      });
      const recordsAfter = await Promise.all([deadId, deliveredId, waitingId, bobsId].map((id) => scene.record(id)));
      expectEqual(recordsAfter, expected, "what is left");
      expectEqual((await find())?.purged, 3, "how many deliveries lost their body");
      await scene.expectCounts({ accepted: 4, delivered: 1, dead: 3 }, "after it");
      expectEqual((await find())?.isPurged, true, "whether it is purged");
    },
  },
  {
    name: "a claimed delivery counts no bytes in its lane once it is purged, and keeps no answers",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, purge } = deletionScene(scene);
      const id = await scene.acceptOne({ userIds: [user("ann")], body: bytes("twelve bytes") });
      await scene.acceptOne({ body: bytes("four") });
      await scene.claim();
      await open({ userIds: [user("ann")] });
      await purge();
      const after = destinationId(scene.lane.slice(0, -1));
      const { lanes } = await scene.store().lanes({ after, limit: 1 }, scene.now());
      const { deliveries, bytes: weight } = lanes.find(({ lane }) => lane === scene.lane) ?? {};
      expectEqual({ deliveries, weight }, { deliveries: 2, weight: 4 }, "its lane");
      const refusing = refusingOnce("b", scene.now());
      const endpoints = [endpointState("a", false, bytes("she lives here")), refusing];
      await scene.settle({ id, outcome: DELIVERED, endpoints });
      const endpointStates = [endpointState("a", false), refusing];
      expectEqual((await scene.record(id)).endpoints, endpointStates, "what it keeps of its endpoints");
    },
  },
  {
    name: "a purge runs in slices, and continues after a crash",
    needs: ["deletions", "restart"],
    async play(scene) {
      const { deletions, user, deletion, open, purge, find } = deletionScene(scene);
      const ids = [];
      for (let count = 0; count < 5; count += 1) ids.push(await scene.acceptOne({ userIds: [user("ann")] }));
      await open({ userIds: [user("ann")] });
      const firstSlice = await deletions().purge({ id: deletion("1"), limit: 2 }, scene.now());
      expectEqual([firstSlice.isDone, (await find())?.isPurged], [false, false], "whether the first slice was all");
      await scene.crash();
      await purge();
      const bodies = await Promise.all(ids.map(async (id) => (await scene.record(id)).body));
      expectEqual(
        bodies.filter((body) => body !== undefined),
        [],
        "the bodies that are left",
      );
      expectEqual((await find())?.purged, 5, "how many deliveries lost their body");
    },
  },
  {
    name: "a message stored after the request is not purged",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, purge } = deletionScene(scene);
      await scene.finish(DELIVERED, { userIds: [user("ann")] });
      await open({ userIds: [user("ann")] });
      await scene.advance(1);
      await scene.store().sweep({ deliveredBefore: scene.now(), deadBefore: scene.now(), limit: 9 }, scene.now());
      const body = bytes("new");
      await scene.accept({ userIds: [user("ann")], body });
      expectEqual((await scene.claimOne()).body, body, "what is handed out before the purge");
      await scene.accept({ userIds: [user("ann")], body });
      await purge();
      expectEqual((await scene.claimOne()).body, body, "what is handed out");
    },
  },
  {
    name: "a request that names sources does not change others, unless it suppresses",
    needs: ["deletions"],
    async play(scene) {
      const { user, deletion, open, purge } = deletionScene(scene);
      const [firstId, otherId] = [
        await scene.acceptOne({ userIds: [user("ann")] }),
        await scene.acceptOne({ userIds: [user("ann")], source: scene.otherSource }),
      ];
      await open({ userIds: [user("ann")], sources: [scene.source] });
      await purge();
      const haveBodies = async (): Promise<readonly boolean[]> =>
        [await scene.record(firstId), await scene.record(otherId)].map(({ body }) => body !== undefined);
      expectEqual(await haveBodies(), [false, true], "whose body is left");
      const sources = [scene.source];
      await open({ name: "2", userIds: [user("ann")], sources, regulation: "suppress-with-delete" });
      await purge(deletion("2"));
      expectEqual(await haveBodies(), [false, false], "whose body is left by one that suppresses");
    },
  },
  {
    name: "a message is purged for each of its users, with all of its deliveries; notices are kept",
    needs: ["deletions"],
    async play(scene) {
      const { user, deletion, open, purge, find } = deletionScene(scene);
      const deliveries = [waitingDelivery(scene.lane, scene.now()), waitingDelivery(scene.otherLane, scene.now())];
      const ids = await scene.accept({ type: "alias", userIds: [user("new"), user("ann")], deliveries });
      const notice = await scene.acceptOne({ type: "delete", deletion: deletion("0") });
      await open({ userIds: [user("ann"), user("new")] });
      await purge();
      const records = await Promise.all([...ids, notice].map((id) => scene.record(id)));
      const states = records.map(({ state }) => state);
      expectEqual(states, ["dead", "dead", "waiting"], "where they stand");
      expectEqual((await find())?.purged, 2, "how many deliveries lost their body");
      expectEqual(await scene.claimIds(), [notice], "what is handed out");
    },
  },
];
