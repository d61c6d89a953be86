// Pages of a list in which little matches: a store that has looked at more than 1,000 deliveries may show fewer than were
// asked for, and names a next page as long as there is more; before that, a page is full.

import { expectEqual } from "../check.js";
import { laneFullDelivery } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";
import { listAll } from "./walk-list.js";

/** How many deliveries a store has to look at for a page (see `DeliveryPage`). */
const LOOKED_AT = 1_000;

export const SHORT_PAGE_CASES: readonly StoreCase[] = [
  {
    name: "a page is full if no more than 1,000 deliveries have to be looked at for it",
    async play(scene) {
      const [dead] = await scene.accept({ deliveries: [laneFullDelivery(scene.lane)] });
      await acceptWaiting(scene, LOOKED_AT - 1);
      const { deliveries } = await scene.store().list({ source: scene.source, states: ["dead"], limit: 1 });
      expectEqual(
        deliveries.map(({ id }) => id),
        [dead],
        "the first page of those that are dead",
      );
    },
  },
  {
    name: "a list comes to what matches, behind any number of deliveries that do not",
    async play(scene) {
      const user = `${scene.source}-user`;
      const [first] = await scene.accept({
        messageId: "one",
        type: "page",
        userIds: [user],
        deliveries: [laneFullDelivery(scene.lane)],
      });
      await acceptWaiting(scene, 2 * LOOKED_AT + 1);
      const [last] = await scene.accept({
        messageId: "two",
        type: "page",
        userIds: [user],
        deliveries: [laneFullDelivery(scene.lane)],
      });
      const queries = [
        { states: ["dead"] },
        { reason: "lane-full" },
        { type: "page" },
        { userId: user },
        { destination: scene.lane },
        { notReplayed: true, states: ["dead"] },
      ] as const;
      for (const query of queries) {
        const ids = (await listAll(scene, query)).map(({ id }) => id);
        expectEqual(ids, [last, first], `all pages of ${JSON.stringify(query)}`);
      }
      const ids = (await listAll(scene, { messageId: "one" })).map(({ id }) => id);
      expectEqual(ids, [first], "all pages of a message id");
    },
  },
];

/** Deliveries of another lane that wait. */
async function acceptWaiting(scene: Scene, count: number): Promise<void> {
  const deliveries = [{ destination: scene.otherLane, start: { kind: "waiting", dueAt: scene.now() } } as const];
  await scene.commit({ accept: Array.from({ length: count }, () => scene.message({ deliveries })) });
}
