// Cases of the limits of requests, pages and purges: 0 takes nothing, 1 takes one at a time, and more than there is
// takes what there is. A message or a request may have many users, or none.

import {
  type DestinationId,
  type DeletionId,
  MAX_DELETION_USERS,
  MAX_MESSAGE_USERS,
  type NewMessage,
} from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { DEAD, DELIVERED, waitingDelivery } from "./samples.js";
import { type Scene, type StoreCase, LEASE_MS } from "./scene.js";
import { deletionScene } from "./users.js";

const BEYOND: number = Number.MAX_SAFE_INTEGER - 1;

/** A method with a limit, and a way to see how many of three it takes. */
interface LimitedMethod extends Pick<StoreCase, "needs"> {
  readonly name: string;
  /** Makes three, and returns how many one call with a limit takes. */
  readonly prepare: (scene: Scene) => Promise<(limit: number) => Promise<number>>;
}

const LIMITED_METHODS: readonly LimitedMethod[] = [
  {
    name: "a claim",
    prepare: async (scene) => {
      await acceptThree(scene);
      return async (limit) => (await scene.claimIds({ limit })).length;
    },
  },
  {
    name: "a claim of retries",
    prepare: async (scene) => {
      await acceptThree(scene);
      return async (limit) => (await scene.claimIds({ limit, retries: limit })).length;
    },
  },
  {
    name: "an end",
    prepare: async (scene) => {
      await acceptThree(scene);
      return (limit) => scene.store().end({ lane: scene.lane, reason: "expired", limit }, scene.now());
    },
  },
  {
    name: "a pull-in",
    prepare: async (scene) => {
      await acceptThree(scene, 900_000);
      const request = { lane: scene.lane, dueAfter: scene.later(1), dueAt: scene.now() };
      return (limit) => scene.store().pullIn({ ...request, limit }, scene.now());
    },
  },
  {
    name: "a sweep",
    needs: ["exactSweeps"],
    prepare: async (scene) => {
      await scene.advance(1);
      await sweep(scene, BEYOND);
      for (const outcome of [DELIVERED, DEAD, DELIVERED]) await scene.finish(outcome);
      await scene.advance(1);
      return (limit) => sweep(scene, limit);
    },
  },
];

export const REQUEST_LIMIT_CASES: readonly StoreCase[] = [
  ...LIMITED_METHODS.map(({ name, prepare, needs = [] }) => ({
    needs,
    name: `${name} with a limit of 0 takes nothing, with 1 one at a time, and beyond all it takes all`,
    async play(scene: Scene): Promise<void> {
      const take = await prepare(scene);
      expectEqual(
        [await take(0), await take(1), await take(BEYOND), await take(BEYOND)],
        [0, 1, 2, 0],
        "what is taken",
      );
    },
  })),
];

async function acceptThree(scene: Scene, delayMs = 0, lane: DestinationId = scene.lane): Promise<void> {
  const deliveries = [waitingDelivery(lane, scene.later(delayMs))];
  await scene.commit({ accept: [1, 2, 3].map(() => scene.message({ deliveries })) });
}

function sweep(scene: Scene, limit: number): Promise<number> {
  return scene.store().sweep({ deliveredBefore: scene.now(), deadBefore: scene.now(), limit }, scene.now());
}

export const PAGE_LIMIT_CASES: readonly StoreCase[] = [
  {
    name: "a page of deliveries or lanes with a limit of 0 is empty, and one beyond all has all",
    async play(scene) {
      await acceptThree(scene);
      const { source } = scene;
      expectEqual((await scene.store().list({ source, limit: 0 })).deliveries, [], "no deliveries");
      expectEqual((await scene.store().list({ source, limit: 1 })).deliveries.length, 1, "one delivery");
      expectEqual((await scene.store().list({ source, limit: BEYOND })).deliveries.length, 3, "all deliveries");
      expectEqual((await scene.store().lanes({ limit: 0 }, scene.now())).lanes, [], "no lanes");
      expectEqual((await scene.store().lanes({ limit: 1 }, scene.now())).lanes.length, 1, "one lane");
      const { lanes, more } = await scene.store().lanes({ limit: BEYOND }, scene.now());
      expectThat(
        lanes.some(({ lane }) => lane === scene.lane),
        "a page of all lanes lacks one",
      );
      expectEqual(more, false, "whether there are more than all");
    },
  },
  {
    name: "a page of requests or suppressed users with a limit of 0 is empty, and one beyond all has all",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, deletion, user, open } = deletionScene(scene);
      const userIds = ["ann", "bob", "eve"].map(user);
      await open({ userIds, regulation: "suppress-only" });
      await open({ name: "2", userIds: [user("joe")] });
      const pages = await Promise.all([0, 1, BEYOND].map((limit) => deletions().list({ limit })));
      const ids = pages.map((page) => page.deletions.map(({ id }) => id));
      const sceneIds = (pageIds: readonly DeletionId[] = []) => pageIds.filter((id) => id.startsWith(deletion("")));
      expectEqual(
        [ids[0], ids[1], sceneIds(ids[2])],
        [[], [deletion("2")], [deletion("2"), deletion("1")]],
        "the requests",
      );
      expectEqual(await deletions().suppressed({ limit: 0 }), [], "no suppressed users");
      const suppressedIds = await deletions().suppressed({ limit: BEYOND });
      const sceneUsers = suppressedIds.filter((userId) => userIds.includes(userId));
      expectEqual(sceneUsers.toSorted(), userIds, "the suppressed users");
      await open({ name: "3", userIds, regulation: "unsuppress" });
    },
  },
  {
    name: "a purge with a limit of 0 or 1 changes no more than that, and one beyond all finishes",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, deletion, user, open, find } = deletionScene(scene);
      for (let count = 0; count < 3; count += 1) await scene.accept({ userIds: [user("ann")] });
      await open({ userIds: [user("ann")] });
      const purgeSlice = async (limit: number): Promise<number> => {
        const countBefore = (await find())?.purged ?? 0;
        await deletions().purge({ id: deletion("1"), limit }, scene.now());
        return ((await find())?.purged ?? 0) - countBefore;
      };
      expectEqual(await purgeSlice(0), 0, "what a slice of 0 purges");
      expectThat((await purgeSlice(1)) <= 1, "a slice of 1 purges more than one");
      await purgeSlice(BEYOND);
      await purgeSlice(BEYOND);
      const { isPurged, purged } = (await find()) ?? {};
      expectEqual({ isPurged, purged }, { isPurged: true, purged: 3 }, "the request in the end");
    },
  },
];

/** Places in the longest list of users at which careless code begins a new slice or ends its list. */
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
        const requestUsers = userIds.slice(place, place + 1);
        const id = await scene.acceptOne({ userIds });
        await open({ name: `purge-${String(place)}`, userIds: requestUsers });
        await purge(deletion(`purge-${String(place)}`));
        expectEqual((await scene.record(id)).reason, "purged", `a message whose user ${String(place)} is deleted`);
        await open({ name: `suppress-${String(place)}`, userIds: requestUsers, regulation: "suppress-only" });
        const { accepted } = await scene.commit({ accept: [scene.message({ userIds })] });
        expectEqual(accepted[0]?.kind, "suppressed", `a message whose user ${String(place)} is suppressed`);
        await open({ name: `end-${String(place)}`, userIds: requestUsers, regulation: "unsuppress" });
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
      const { users, userIds: storedIds } = (await find()) ?? {};
      expectEqual({ users, storedIds }, { users: MAX_DELETION_USERS, storedIds: userIds }, "the users of the request");
      const answersTo = async (accept: readonly NewMessage[]) =>
        (await scene.commit({ accept })).accepted.map(({ kind }) => kind);
      const answers = await answersTo(userIds.map((userId) => scene.message({ userIds: [userId], deliveries: [] })));
      expectEqual(answers.indexOf("stored"), -1, "the place of a user who is not suppressed");
      await open({ name: "2", userIds, regulation: "unsuppress" });
      const accepted = await answersTo(userIds.map((userId) => scene.message({ userIds: [userId], deliveries: [] })));
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
      const missedPlaces = places.filter((_, index) => records[index]?.reason !== "purged");
      expectEqual(missedPlaces, [], "the places of users whose delivery is not purged");
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
