// The results of `list`: newest first, in pages, by query.

import type { DeliveryId, DeliveryPage } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { DEAD, DELIVERED } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";
import { after, idsOf, list, listAll } from "./walk-list.js";

export const LISTING_CASES: readonly StoreCase[] = [
  {
    name: "a list shows the newest first, each as a look-up shows it",
    async play(scene) {
      const ids = [await scene.acceptOne(), await scene.finish(DEAD), await scene.finish(DELIVERED)];
      const deliveries = await listAll(scene);
      expectEqual(idsOf(deliveries), ids.toReversed(), "the deliveries listed");
      for (const summary of deliveries) {
        const inFull = { body: undefined, attempts: undefined, endpoints: undefined };
        expectEqual(summary, { ...(await scene.record(summary.id)), ...inFull }, "a delivery as listed");
      }
    },
  },
  {
    name: "pages show each delivery once, up to the last",
    async play(scene) {
      const ids: DeliveryId[] = [];
      for (let message = 0; message < 7; message += 1) ids.push(await scene.acceptOne());
      const pages = await walk(scene, 3);
      expectThat(
        pages.every((page) => page.deliveries.length <= 3),
        "a page shows more than its limit",
      );
      expectEqual(
        pages.flatMap((page) => idsOf(page.deliveries)),
        ids.toReversed(),
        "all pages together",
      );
    },
  },
  {
    name: "a page continues where the one before ended, with any deliveries stored meanwhile",
    async play(scene) {
      const ids: DeliveryId[] = [];
      for (let message = 0; message < 4; message += 1) ids.push(await scene.acceptOne());
      const first = await list(scene, { limit: 2 });
      await scene.acceptOne();
      await scene.finish(DELIVERED);
      const second = await list(scene, { limit: 2, ...after(first) });
      expectEqual([...idsOf(first.deliveries), ...idsOf(second.deliveries)], ids.toReversed(), "both pages");
    },
  },
  {
    name: "a page continues where the one before ended, even if its last delivery is gone",
    async play(scene) {
      const kept = await scene.acceptOne();
      await scene.finish(DELIVERED);
      const first = await list(scene, { limit: 1 });
      await scene.advance(2);
      await scene.store().sweep({ deliveredBefore: scene.now(), deadBefore: scene.now(), limit: 1_000 }, scene.now());
      const second = await list(scene, { limit: 5, ...after(first) });
      expectEqual(idsOf(second.deliveries), [kept], "the second page");
    },
  },
  {
    name: "a cursor that no page gave finds nothing",
    async play(scene) {
      const id = await scene.acceptOne();
      for (const made of ["", "nonsense", id, "99999999999", "-1", "'; --", "\u0000"]) {
        if (made === (await list(scene, { limit: 1 })).next) continue;
        const page = await list(scene, { after: `made-up ${made}` });
        expectEqual(page, { deliveries: [] }, "the page behind a cursor made up");
      }
    },
  },
];

/** More pages than any case has. A list with more pages has no end. */
const MAX_PAGES = 20;

async function walk(scene: Scene, limit: number): Promise<readonly DeliveryPage[]> {
  const pages = [await list(scene, { limit })];
  for (let page = pages.at(-1); page?.next !== undefined && pages.length < MAX_PAGES; page = pages.at(-1)) {
    pages.push(await list(scene, { limit, after: page.next }));
  }
  return pages;
}
