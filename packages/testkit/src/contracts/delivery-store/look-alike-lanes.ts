// Look-alikes as ids of destinations, which are lanes too, and as tokens of leases.

import { destinationId } from "@postrider/core";
import { expectEqual } from "../check.js";
import { expectEachItself, lookAlikes, showText } from "../look-alikes.js";
import { bytes, waitingDelivery } from "./samples.js";
import { type Scene, type StoreCase } from "./scene.js";
import { listAll } from "./walk-list.js";

const LANES = lookAlikes().map((lane) => destinationId(lane));

export const LOOK_ALIKE_LANE_CASES: readonly StoreCase[] = [
  {
    name: "a lane is distinct from all that look alike: in lists, in pages of lanes, in claims",
    async play(scene) {
      const before = await deliveriesByLane(scene);
      await acceptForEach(scene);
      const listed = new Map<string, readonly string[]>();
      for (const lane of LANES) listed.set(lane, storedFor(await listAll(scene, { destination: lane })));
      expectEachItself(listed, "what a list by destination shows");
      const after = await deliveriesByLane(scene);
      for (const lane of LANES)
        expectEqual((after.get(lane) ?? 0) - (before.get(lane) ?? 0), 1, `the deliveries of lane ${showText(lane)}`);

      const claimed = new Map<string, readonly string[]>();
      for (const lane of LANES) {
        const { deliveries, nextDueAt } = await scene.claim({ lane, limit: 1_000 });
        const mine = deliveries.filter(({ source }) => source === scene.source);
        claimed.set(lane, storedFor(mine));
        expectEqual([...nextDueAt.keys()], [lane], `the lanes whose next delivery a claim of ${showText(lane)} tells`);
      }
      expectEachItself(claimed, "what a claim hands out of a lane");
    },
  },
  {
    name: "a lane is pulled in without those that look alike",
    async play(scene) {
      await acceptForEach(scene, 900_000);
      for (const [place, lane] of LANES.entries()) {
        const request = { lane, dueAfter: scene.later(800_000), dueAt: scene.later(place), limit: 10_000 };
        await scene.store().pullIn(request, scene.now());
      }
      const pulled = (await listAll(scene)).map(({ messageId, dueAt = 0 }) => {
        return [LANES[Number(messageId)] ?? "", LANES.filter((_, place) => dueAt === scene.later(place))] as const;
      });
      expectEachItself(new Map(pulled), "the lane that was pulled in");
      expectEqual(pulled.length, LANES.length, "how many deliveries there are");
      // Nothing is left for a later run of this case, whose lanes have the same names.
      await endEach(scene);
    },
  },
  {
    name: "a lane is ended without those that look alike",
    async play(scene) {
      await acceptForEach(scene, 900_000);
      await endEach(scene);
      const ended = (await listAll(scene, { states: ["dead"] })).map(({ messageId, detail }) => {
        return [LANES[Number(messageId)] ?? "", LANES.filter((_, place) => detail === String(place))] as const;
      });
      expectEachItself(new Map(ended), "the lane that was ended");
      expectEqual(ended.length, LANES.length, "how many deliveries are dead");
    },
  },
];

/** One delivery for each lane; its message is named by the place of the lane. */
async function acceptForEach(scene: Scene, delayMs = 0): Promise<void> {
  const accept = LANES.map((lane, index) =>
    scene.message({
      messageId: String(index),
      body: bytes("{}"),
      deliveries: [waitingDelivery(lane, scene.later(delayMs))],
    }),
  );
  await scene.commit({ accept });
}

/** Ends each lane; the detail is the place of the lane. */
async function endEach(scene: Scene): Promise<void> {
  for (const [place, lane] of LANES.entries()) {
    const request = { lane, reason: "destination-removed", limit: 10_000, detail: String(place) } as const;
    await scene.store().end(request, scene.now());
  }
}

/** The lanes for which these deliveries were stored. */
function storedFor(deliveries: readonly { readonly messageId: string }[]): readonly string[] {
  return deliveries.flatMap(({ messageId }) => LANES[Number(messageId)] ?? []);
}

/** More pages than the lanes of all cases need. */
const MAX_PAGES = 1_000;

/** The deliveries of each lane; the storage may have some of earlier runs. */
async function deliveriesByLane(scene: Scene): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  let after = {};
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { lanes, more } = await scene.store().lanes({ limit: 50, ...after }, scene.now());
    for (const { lane, deliveries } of lanes) counts.set(lane, deliveries);
    const last = lanes.at(-1);
    if (!more || last === undefined) return counts;
    after = { after: last.lane };
  }
  throw new Error(`the lanes have no end after ${String(MAX_PAGES)} pages`);
}
