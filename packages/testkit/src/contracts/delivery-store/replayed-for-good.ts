// Whether a delivery has been replayed is a fact about the delivery, not about its replay: it stays when the replay is gone.

import { epochMs } from "@postrider/core";
import { expectEqual } from "../check.js";
import { DELIVERED, laneFullDelivery } from "./samples.js";
import type { StoreCase } from "./scene.js";

export const REPLAYED_FOR_GOOD_CASES: readonly StoreCase[] = [
  {
    name: "a delivery has been replayed for good, also once its replay was swept",
    async play(scene) {
      const { source } = scene;
      const of = await scene.finish(DELIVERED);
      const { start } = laneFullDelivery(scene.lane);
      const [replay] = (await scene.commit({ replay: [{ of, start }] })).replayed;
      await scene.advance(1);
      const request = { deliveredBefore: epochMs(0), deadBefore: scene.now(), limit: 10_000 };
      await scene.store().sweep(request, scene.now());
      const all = (await scene.store().list({ source, limit: 5 })).deliveries.map(({ id }) => id);
      expectEqual([all.includes(of), replay !== undefined && all.includes(replay)], [true, false], "what is left");
      const { deliveries } = await scene.store().list({ source, notReplayed: true, limit: 5 });
      expectEqual(deliveries, [], "the deliveries that have not been replayed");
    },
  },
];
