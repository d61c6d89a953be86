// Limits of pages and of purges: 0, 1 and more than there is.

import type { DeletionId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { deletionScene } from "./deletion-scene.js";
import type { StoreCase } from "./scene.js";
import { BEYOND, acceptThree } from "./limits-of-requests.js";

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
      const mine = (all: readonly DeletionId[] = []) => all.filter((id) => id.startsWith(deletion("")));
      expectEqual(
        [ids[0], ids[1], mine(ids[2])],
        [[], [deletion("2")], [deletion("2"), deletion("1")]],
        "the requests",
      );
      expectEqual(await deletions().suppressed({ limit: 0 }), [], "no suppressed users");
      const all = await deletions().suppressed({ limit: BEYOND });
      expectEqual(all.filter((userId) => userIds.includes(userId)).toSorted(), userIds, "the suppressed users");
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
      const purged = async (limit: number): Promise<number> => {
        const before = (await find())?.purged ?? 0;
        await deletions().purge({ id: deletion("1"), limit }, scene.now());
        return ((await find())?.purged ?? 0) - before;
      };
      expectEqual(await purged(0), 0, "what a slice of 0 purges");
      expectThat((await purged(1)) <= 1, "a slice of 1 purges more than one");
      await purged(BEYOND);
      await purged(BEYOND);
      const { isPurged, purged: all } = (await find()) ?? {};
      expectEqual({ isPurged, all }, { isPurged: true, all: 3 }, "the request in the end");
    },
  },
];
