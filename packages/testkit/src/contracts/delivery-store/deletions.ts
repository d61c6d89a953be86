// Cases of requests to delete users: they are stored, found, listed and ended, and the notices that they send are
// counted.

import { totalCounts } from "@postrider/core/engine";
import { expectEqual, expectThat } from "../check.js";
import { deletionScene, UNKNOWN_DELETION } from "./users.js";
import {
  bytes,
  claimedDelivery,
  DEAD,
  DELIVERED,
  endpointState,
  laneFullDelivery,
  waitingDelivery,
} from "./samples.js";
import type { StoreCase } from "./scene.js";

export const DELETING_CASES: readonly StoreCase[] = [
  {
    name: "a request is found as it was stored, after a crash too",
    needs: ["deletions", "restart"],
    async play(scene) {
      const { deletions, user, deletion, open, find } = deletionScene(scene);
      const [ann, bob] = [user("ann"), user("bob\u0000\ud800")];
      await open({ userIds: [bob, ann, bob], regulation: "suppress-with-delete", sources: [scene.source] });
      const noProgress = { purged: 0, notified: 0, isPurged: false, notices: [] };
      const request = { id: deletion("1"), regulation: "suppress-with-delete", sources: [scene.source] };
      const number = (await find())?.number;
      const expected = { ...request, ...noProgress, number, requestedAt: scene.now(), users: 2, userIds: [bob, ann] };
      expectEqual(await find(), expected, "the request");
      await scene.crash();
      expectEqual(await find(), expected, "the request after a crash");
      expectThat((await deletions().find(UNKNOWN_DELETION)) === undefined, "an unknown request is found");
    },
  },
  {
    name: "a request that is already stored changes nothing",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, find } = deletionScene(scene);
      await open({ userIds: [user("ann")] });
      const request = await find();
      await scene.advance(5);
      await open({ userIds: [user("bob")], regulation: "suppress-only" });
      expectEqual(await find(), request, "the request");
      await scene.accept({ userIds: [user("bob")] });
      expectEqual((await scene.claimIds()).length, 1, "how many deliveries of the other user are handed out");
    },
  },
  {
    name: "each request has a higher number than all before, in each look-up and list, after a crash too",
    needs: ["deletions", "restart"],
    async play(scene) {
      const { deletions, user, deletion, open } = deletionScene(scene);
      const numberOf = async (name: string): Promise<number> => (await deletions().find(deletion(name)))?.number ?? NaN;
      await open({ userIds: [user("ann")] });
      await open({ name: "2", userIds: [user("ann")], regulation: "unsuppress" });
      await scene.crash();
      await open({ name: "3", userIds: [user("bob")] });
      const [first, second, third] = [await numberOf("1"), await numberOf("2"), await numberOf("3")];
      expectThat(first > 0 && second > first && third > second, "their numbers do not ascend");
      const { deletions: newestDeletions } = await deletions().list({ limit: 2 });
      expectEqual(
        newestDeletions.map(({ number }) => number),
        [third, second],
        "the numbers in a list",
      );
    },
  },
  {
    name: "a message whose `asOf` is older than the newest request is not stored, and not counted",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, user, open } = deletionScene(scene);
      const newestNumber = async (): Promise<number> =>
        (await deletions().list({ limit: 1 })).deletions[0]?.number ?? 0;
      const oldNumber = await newestNumber();
      await open({ userIds: [user("ann")], regulation: "suppress-only" });
      const messages = [{ asOf: oldNumber }, { asOf: await newestNumber() }, {}].map((fields) => scene.message(fields));
      const { accepted } = await scene.commit({ accept: messages });
      expectEqual(
        accepted.map(({ kind }) => kind),
        ["outdated", "stored", "stored"],
        "the answers",
      );
      await scene.expectCounts({ accepted: 2, waiting: 2 }, "after it");
      const asOf = await newestNumber();
      const repeated = messages.slice(0, 1).map((message) => ({ ...message, asOf }));
      const { accepted: acceptedAgain } = await scene.commit({ accept: repeated });
      expectEqual(
        acceptedAgain.map(({ kind }) => kind),
        ["stored"],
        "the answer to the first message, sent again with the current `asOf`",
      );
    },
  },
  {
    name: "a request that neither suppresses nor deletes has nothing to purge",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, find, purge } = deletionScene(scene);
      await open({ userIds: [user("ann")], regulation: "unsuppress" });
      expectEqual((await find())?.isPurged, true, "whether it counts as purged");
      await purge();
      await purge(UNKNOWN_DELETION);
    },
  },
  {
    name: "deliveries of notices are counted with their request, by source, and no sweep lowers these counts",
    needs: ["deletions"],
    async play(scene) {
      const { user, deletion, open, find } = deletionScene(scene);
      await open({ userIds: [user("ann")] });
      const notice = { type: "delete", deletion: deletion("1") } as const;
      const { lane, source, otherSource } = scene;
      await scene.accept({
        ...notice,
        deliveries: [waitingDelivery(lane, scene.now()), laneFullDelivery(lane), claimedDelivery(lane)],
      });
      await scene.finish(DELIVERED, { ...notice, source: otherSource });
      const [id] = await scene.claimIds();
      if (id !== undefined) await scene.settle({ id, outcome: { kind: "dead", reason: "refused", detail: "404" } });
      await scene.commit({ accept: [scene.message({ ...notice, source: otherSource, messageId: "message-2" })] });
      await scene.accept({ type: "delete" });
      await scene.advance(1);
      await scene.store().sweep({ deliveredBefore: scene.now(), deadBefore: scene.now(), limit: 9 }, scene.now());
      const sourceNotices = { source, stored: 3, delivered: 0, dead: 2 };
      const otherNotices = { source: otherSource, stored: 1, delivered: 1, dead: 0 };
      expectEqual((await find())?.notices, bySource([sourceNotices, otherNotices]), "what became of the notices");
      // A message without `deletion` counts as received, even with type delete.
      const counts = (await scene.store().counts()).filter(
        (row) => row.source === source || row.source === otherSource,
      );
      expectEqual(totalCounts(counts).received, 1, "how many were received");
    },
  },
  {
    name: "a replayed notice is counted as a further one",
    needs: ["deletions"],
    async play(scene) {
      const { user, deletion, open, find } = deletionScene(scene);
      await open({ userIds: [user("ann")] });
      const of = await scene.finish(DELIVERED, { type: "delete", deletion: deletion("1") });
      await scene.commit({ replay: [{ of, start: { kind: "waiting", dueAt: scene.now() } }] });
      const expected = [{ source: scene.source, stored: 2, delivered: 1, dead: 0 }];
      expectEqual((await find())?.notices, expected, "what became of the notices");
    },
  },
  {
    name: "the progress of the notices is stored, never goes back, and ends with all users",
    needs: ["deletions"],
    async play(scene) {
      const { user, deletion, open, find } = deletionScene(scene);
      await open({ userIds: ["a", "b", "c", "d"].map(user) });
      const progress = (...users: readonly number[]) =>
        users.map((count) => ({ deletion: deletion("1"), users: count }));
      for (const users of [2, 1]) await scene.commit({ notified: progress(users) });
      expectEqual((await find())?.notified, 2, "how many users are notified");
      await scene.commit({ notified: [{ deletion: UNKNOWN_DELETION, users: 1 }, ...progress(3, 1)] });
      expectEqual((await find())?.notified, 3, "how many are after two progresses in one commit");
      await scene.commit({ notified: progress(9) });
      expectEqual((await find())?.notified, 4, "how many are after a progress beyond all users");
    },
  },
  {
    name: "a request ends once it is purged and notified, and its user ids are removed",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, user, deletion, open, find, purge } = deletionScene(scene);
      const finish = (): Promise<boolean> => deletions().finish(deletion("1"), scene.now());
      await open({ userIds: [user("ann"), user("bob")] });
      await scene.commit({ notified: [{ deletion: deletion("1"), users: 2 }] });
      expectEqual(await finish(), false, "whether it ends before it is purged");
      await purge();
      await scene.advance(7);
      expectEqual(await finish(), true, "whether it ends");
      const { finishedAt, users, userIds } = (await find()) ?? {};
      expectEqual({ finishedAt, users, userIds }, { finishedAt: scene.now(), users: 2, userIds: [] }, "what is left");
      await scene.advance(7);
      expectEqual(await finish(), true, "whether it ends again");
      expectEqual((await find())?.finishedAt, finishedAt, "when it ended");
      expectEqual(await deletions().finish(UNKNOWN_DELETION, scene.now()), false, "whether an unknown request ends");
    },
  },
  {
    name: "a delivery that is settled after the request for its user has ended keeps no answers",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, user, deletion, open, purge } = deletionScene(scene);
      const id = await scene.acceptOne({ userIds: [user("ann")] });
      await scene.claim();
      await open({ userIds: [user("ann")] });
      await purge();
      await scene.commit({ notified: [{ deletion: deletion("1"), users: 1 }] });
      expectEqual(await deletions().finish(deletion("1"), scene.now()), true, "whether the request has ended");
      const endpoints = [endpointState("a", true, bytes("she lives here"))];
      expectEqual(await scene.settle({ id, outcome: DEAD, endpoints }), "purged", "the settlement");
      expectEqual((await scene.record(id)).endpoints, [endpointState("a", true)], "what it keeps of its endpoints");
    },
  },
  {
    name: "a request without notices ends without them, and one with notices waits for them",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, user, deletion, open, purge } = deletionScene(scene);
      await open({ userIds: [user("ann")], regulation: "suppress-only" });
      await purge();
      expectEqual(
        await deletions().finish(deletion("1"), scene.now()),
        true,
        "whether the request without notices ends",
      );
      await open({ userIds: [user("bob")], name: "2" });
      await purge(deletion("2"));
      expectEqual(await deletions().finish(deletion("2"), scene.now()), false, "whether the request with notices ends");
    },
  },
  {
    name: "requests are listed newest first, in pages, all of them or those that are not finished",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, user, deletion, open, purge } = deletionScene(scene);
      for (const name of ["1", "2", "3"]) await open({ name, userIds: [user("ann")], regulation: "suppress-only" });
      await purge(deletion("2"));
      await deletions().finish(deletion("2"), scene.now());
      const firstPage = await deletions().list({ limit: 2 });
      expectEqual(
        [...firstPage.deletions.map(({ id }) => id), firstPage.more],
        [deletion("3"), deletion("2"), true],
        "a page",
      );
      expectEqual(firstPage.deletions[0]?.userIds, [], "the users on a page");
      const secondPage = await deletions().list({ limit: 1, after: deletion("2") });
      expectEqual(secondPage.deletions[0]?.id, deletion("1"), "the page behind");
      const unfinished = await deletions().list({ unfinished: true, limit: 2 });
      expectEqual(
        unfinished.deletions.map(({ id }) => id),
        [deletion("3"), deletion("1")],
        "those not finished",
      );
      const emptyPage = await deletions().list({ after: UNKNOWN_DELETION, limit: 5 });
      expectEqual(emptyPage, { deletions: [], more: false }, "the page after an unknown request");
    },
  },
];

function bySource<T extends { readonly source: string }>(rows: readonly T[]): readonly T[] {
  return rows.toSorted((first, second) => (first.source < second.source ? -1 : 1));
}
