// The results of `list`: newest first, in pages, by query.

import type { DeliveryId, DeliveryPage, ListQuery } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { DEAD, DELIVERED, waitingDelivery } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";

export const LISTING_CASES: readonly StoreCase[] = [
  {
    name: "a list shows the newest first, each as a look-up shows it",
    async play(scene) {
      const ids = [await scene.acceptOne(), await scene.finish(DEAD), await scene.finish(DELIVERED)];
      const { deliveries, next } = await list(scene, {});
      expectEqual(idsOf({ deliveries }), ids.toReversed(), "the deliveries listed");
      expectThat(next === undefined, "a page that shows all promises more");
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
      expectEqual(pages.flatMap(idsOf), ids.toReversed(), "all pages together");
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
      expectEqual([...idsOf(first), ...idsOf(second)], ids.toReversed(), "both pages");
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
      expectEqual(idsOf(await list(scene, { limit: 5, ...after(first) })), [kept], "the second page");
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
  {
    name: "a list shows only what matches: state, reason, destination, type, message id",
    async play(scene) {
      const { otherLane } = scene;
      const waits = await scene.acceptOne({ type: "page", deliveries: [waitingDelivery(otherLane, scene.now())] });
      const delivered = await scene.finish(DELIVERED, { messageId: "asked" });
      const refused = await scene.finish(DEAD);
      const expired = await scene.finish({ kind: "dead", reason: "expired" }, { type: "page" });
      const questions: readonly (readonly [Partial<ListQuery>, readonly DeliveryId[]])[] = [
        [{ state: "waiting" }, [waits]],
        [{ state: "dead" }, [expired, refused]],
        [{ state: "claimed" }, []],
        [{ reason: "expired" }, [expired]],
        [{ destination: otherLane }, [waits]],
        [{ type: "page" }, [expired, waits]],
        [{ messageId: "asked" }, [delivered]],
        [{ state: "dead", reason: "refused", type: "track" }, [refused]],
        [{ state: "delivered", type: "page" }, []],
      ];
      for (const [query, expected] of questions) {
        expectEqual(idsOf(await list(scene, query)), expected, `the list for ${JSON.stringify(query)}`);
      }
    },
  },
  {
    name: "a list by source shows only that source",
    async play(scene) {
      const { source, otherSource } = scene;
      const [mine, theirs] = [await scene.acceptOne(), await scene.acceptOne({ source: otherSource })];
      expectEqual(idsOf(await list(scene, { source })), [mine], "the one source");
      expectEqual(idsOf(await list(scene, { source: otherSource })), [theirs], "the other");
    },
  },
  {
    name: "a list by time shows what was accepted from one instant up to, not including, another",
    async play(scene) {
      const ids: DeliveryId[] = [];
      for (const ago of [-30, -20, -10]) ids.push(await scene.acceptOne({ receivedAt: scene.later(ago) }));
      const [, middle] = ids;
      const between = { acceptedSince: scene.later(-20), acceptedBefore: scene.later(-10) };
      expectEqual(idsOf(await list(scene, between)), [middle], "what was accepted in between");
      expectEqual(idsOf(await list(scene, { acceptedBefore: scene.later(-30) })), [], "what was accepted before all");
    },
  },
  {
    name: "pages of a filtered list are full as long as there is more",
    async play(scene) {
      const dead: DeliveryId[] = [];
      for (let message = 0; message < 3; message += 1) {
        dead.push(await scene.finish(DEAD));
        await scene.acceptOne();
      }
      const first = await list(scene, { state: "dead", limit: 2 });
      const second = await list(scene, { state: "dead", limit: 2, ...after(first) });
      expectEqual([first.deliveries.length, second.deliveries.length], [2, 1], "the sizes of the pages");
      expectEqual([...idsOf(first), ...idsOf(second)], dead.toReversed(), "both pages");
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

function list(scene: Scene, query: Partial<ListQuery>): Promise<DeliveryPage> {
  return scene.store().list({ source: scene.source, limit: 50, ...query });
}

function after({ next }: DeliveryPage): { readonly after?: string } {
  expectThat(next !== undefined, "a page that does not show all names no next one");
  return { after: next };
}

function idsOf({ deliveries }: Pick<DeliveryPage, "deliveries">): readonly DeliveryId[] {
  return deliveries.map((delivery) => delivery.id);
}
