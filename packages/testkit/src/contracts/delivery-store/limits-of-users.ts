// As many users as a message or a request may have, and lists without an item.

import { MAX_DELETION_USERS, MAX_MESSAGE_USERS, type NewMessage } from "@postrider/core";
import { expectEqual } from "../check.js";
import { deletionScene } from "./deletion-scene.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

/** Places in a list of that length at which careless code begins a new slice or ends its list, and the two ends. */
const PLACES = [0, 1, 99, 100, 127, 128, 255, 256, 499, 500, 999, 1_000, 1_023, 1_024, 2_047, 4_095, 4_096].filter(
  (place) => place < MAX_DELETION_USERS - 1,
);

export const USER_LIMIT_CASES: readonly StoreCase[] = [
  {
    name: "each user of a message is found by a suppression and by a purge, whatever its place",
    needs: ["deletions"],
    async play(scene) {
      const { user, deletion, open, purge } = deletionScene(scene);
      for (let place = 0; place < MAX_MESSAGE_USERS; place += 1) {
        const userIds = Array.from({ length: MAX_MESSAGE_USERS }, (_, index) =>
          user(`${String(place)}-${String(index)}`),
        );
        const named = userIds.slice(place, place + 1);
        const id = await scene.acceptOne({ userIds });
        await open({ name: `purge-${String(place)}`, userIds: named });
        await purge(deletion(`purge-${String(place)}`));
        expectEqual((await scene.record(id)).reason, "purged", `a message whose user ${String(place)} is deleted`);
        await open({ name: `suppress-${String(place)}`, userIds: named, regulation: "suppress-only" });
        const { accepted } = await scene.commit({ accept: [scene.message({ userIds })] });
        expectEqual(accepted[0]?.kind, "suppressed", `a message whose user ${String(place)} is suppressed`);
        await open({ name: `end-${String(place)}`, userIds: named, regulation: "unsuppress" });
      }
    },
  },
  {
    name: "each of the 5,000 users of a request is stored, suppressed and no longer suppressed",
    needs: ["deletions"],
    async play(scene) {
      const { open, find } = deletionScene(scene);
      const userIds = mostUsers(scene);
      await open({ userIds, regulation: "suppress-only" });
      const { users, userIds: stored } = (await find()) ?? {};
      expectEqual({ users, stored }, { users: MAX_DELETION_USERS, stored: userIds }, "the users of the request");
      const kinds = (messages: readonly NewMessage[]) => answersTo(scene, messages);
      const suppressed = await kinds(userIds.map((userId) => scene.message({ userIds: [userId], deliveries: [] })));
      expectEqual(suppressed.indexOf("stored"), -1, "the place of a user who is not suppressed");
      await open({ name: "2", userIds, regulation: "unsuppress" });
      const accepted = await kinds(userIds.map((userId) => scene.message({ userIds: [userId], deliveries: [] })));
      expectEqual(accepted.indexOf("suppressed"), -1, "the place of a user who is still suppressed");
    },
  },
  {
    name: "users at any place of a request of 5,000 are purged, and their notices counted to the last",
    needs: ["deletions"],
    async play(scene) {
      const { deletion, open, purge, find } = deletionScene(scene);
      const userIds = mostUsers(scene);
      const places = [...PLACES, MAX_DELETION_USERS - 1];
      const ids = [];
      for (const place of places) ids.push(await scene.acceptOne({ userIds: userIds.slice(place, place + 1) }));
      await open({ userIds });
      await purge();
      const records = await Promise.all(ids.map((id) => scene.record(id)));
      const kept = places.filter((_, index) => records[index]?.reason !== "purged");
      expectEqual(kept, [], "the places of users whose delivery is not purged");
      await scene.commit({ notified: [{ deletion: deletion("1"), users: MAX_DELETION_USERS }] });
      const { notified, purged } = (await find()) ?? {};
      expectEqual({ notified, purged }, { notified: MAX_DELETION_USERS, purged: places.length }, "the progress");
    },
  },
  {
    name: "a list without an item is no item, and not all",
    async play(scene) {
      const { accepted } = await scene.commit({
        accept: [scene.message({ deliveries: [], filtered: [], userIds: [] })],
      });
      expectEqual(accepted, [{ kind: "stored", deliveries: [] }], "the answer to a message without a unit");
      await scene.expectCounts({ received: 1 }, "after it");
      await scene.acceptOne();
      const request = { token: scene.token("nothing"), leaseMs: LEASE_MS, lanes: [] };
      const { deliveries, nextDueAt } = await scene.store().claim(request, scene.now());
      expectEqual([deliveries.length, nextDueAt.size], [0, 0], "what a claim without lanes hands out");
    },
  },
  {
    name: "a request without a source purges nothing but audiences, and is no request of all sources",
    needs: ["deletions"],
    async play(scene) {
      const { user, open, purge, find } = deletionScene(scene);
      const id = await scene.acceptOne({ userIds: [user("ann")] });
      await open({ userIds: [user("ann")], sources: [] });
      await purge();
      expectEqual((await find())?.sources, [], "the sources of the request");
      expectEqual(await scene.claimIds(), [id], "what is handed out");
    },
  },
];

function mostUsers(scene: Scene): readonly string[] {
  return Array.from({ length: MAX_DELETION_USERS }, (_, index) => `${scene.source}-user-${String(index)}`);
}

async function answersTo(scene: Scene, accept: readonly NewMessage[]): Promise<readonly string[]> {
  return (await scene.commit({ accept })).accepted.map(({ kind }) => kind);
}
