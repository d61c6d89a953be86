// What a list shows if it is asked for only a part.

import type { DeliveryId, ListQuery } from "@postrider/core";
import { expectEqual } from "../check.js";
import { DEAD, DELIVERED, waitingDelivery } from "./samples.js";
import type { StoreCase } from "./scene.js";
import { after, idsOf, list } from "./walk-list.js";

export const MATCHING_CASES: readonly StoreCase[] = [
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
        expectEqual(idsOf((await list(scene, query)).deliveries), expected, `the list for ${JSON.stringify(query)}`);
      }
    },
  },
  {
    name: "a list by source shows only that source",
    async play(scene) {
      const { source, otherSource } = scene;
      const [mine, theirs] = [await scene.acceptOne(), await scene.acceptOne({ source: otherSource })];
      expectEqual(idsOf((await list(scene, { source })).deliveries), [mine], "the one source");
      expectEqual(idsOf((await list(scene, { source: otherSource })).deliveries), [theirs], "the other");
    },
  },
  {
    name: "a list by time shows what was accepted from one instant up to, not including, another",
    async play(scene) {
      const ids: DeliveryId[] = [];
      for (const ago of [-30, -20, -10]) ids.push(await scene.acceptOne({ receivedAt: scene.later(ago) }));
      const [, middle] = ids;
      const between = { acceptedSince: scene.later(-20), acceptedBefore: scene.later(-10) };
      expectEqual(idsOf((await list(scene, between)).deliveries), [middle], "what was accepted in between");
      expectEqual(
        idsOf((await list(scene, { acceptedBefore: scene.later(-30) })).deliveries),
        [],
        "what was accepted before all",
      );
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
      expectEqual([...idsOf(first.deliveries), ...idsOf(second.deliveries)], dead.toReversed(), "both pages");
    },
  },
];
