// The results of `lanes`: which lanes have unfinished deliveries, how many, and when the next is due.

import { destinationId, type LaneRow } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { bytes, DEAD, DELIVERED, waitingDelivery } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const LANE_PAGE_CASES: readonly StoreCase[] = [
  {
    name: "a lane reports its unfinished deliveries, their bytes, and when the next can be claimed",
    async play(scene) {
      const { lane } = scene;
      await scene.acceptOne({ body: bytes("123"), deliveries: [waitingDelivery(lane, scene.later(70))] });
      await scene.acceptOne({ body: bytes("12345"), deliveries: [waitingDelivery(lane, scene.later(60))] });
      await scene.finish(DELIVERED);
      await scene.finish(DEAD);
      expectEqual(await mine(scene), [{ lane, deliveries: 2, bytes: 8, nextDueAt: scene.later(60) }], "the lane");
    },
  },
  {
    name: "a claimed delivery counts in its lane, and can be claimed again when its lease ends",
    async play(scene) {
      const { lane } = scene;
      await scene.acceptOne({ body: bytes("123") });
      await scene.claimOne();
      const held = [{ lane, deliveries: 1, bytes: 3, nextDueAt: scene.later(LEASE_MS) }];
      expectEqual(await mine(scene), held, "the lane while its delivery is claimed");
      await scene.advance(LEASE_MS + 10);
      const over = [{ lane, deliveries: 1, bytes: 3, nextDueAt: scene.later(-10) }];
      expectEqual(await mine(scene), over, "the lane when the lease is over");
    },
  },
  {
    name: "a lane whose deliveries are all delivered, dead or ended is not reported",
    async play(scene) {
      await scene.finish(DELIVERED);
      await scene.acceptOne();
      await scene.store().end({ lane: scene.lane, reason: "expired", limit: 5 }, scene.now());
      expectEqual(await mine(scene), [], "the lanes");
    },
  },
  {
    name: "pages of lanes report each lane once, by its id",
    async play(scene) {
      const names = ["c", "a", "e", "b", "d"].map((name) => destinationId(`${scene.lane}-${name}`));
      await scene.accept({ deliveries: names.map((name) => waitingDelivery(name, scene.now())) });
      const told = (await mine(scene)).map((row) => row.lane);
      expectEqual(told, names.toSorted(), "the lanes");
    },
  },
];

/** More pages than the lanes of all cases need. */
const MAX_PAGES = 500;

/** The lanes of this scene; the storage may have others, of earlier cases. */
async function mine(scene: Scene): Promise<readonly LaneRow[]> {
  const rows: LaneRow[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const last = rows.at(-1);
    const request = last === undefined ? { limit: 3 } : { after: last.lane, limit: 3 };
    const { lanes, more } = await scene.store().lanes(request, scene.now());
    expectThat(lanes.length <= 3, "a page of lanes has more lanes than its limit");
    rows.push(...lanes);
    if (!more) break;
  }
  return rows.filter((row) => row.lane.startsWith(scene.lane));
}
