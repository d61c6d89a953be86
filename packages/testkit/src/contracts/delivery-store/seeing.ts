// Looking up a message id: when it was accepted and how many deliveries it got, as long as a further message with it is a
// duplicate.

import type { SeenMessage, SeenQuery } from "@postrider/core";
import { expectEqual } from "../check.js";
import { DEAD, DELIVERED, waitingDelivery } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";

export const SEEING_CASES: readonly StoreCase[] = [
  {
    name: "an accepted message is seen, with its time and the number of its deliveries",
    async play(scene) {
      const { source, lane, otherLane } = scene;
      const seenAt = scene.now();
      const deliveries = [waitingDelivery(lane, seenAt), waitingDelivery(otherLane, seenAt)];
      await scene.accept({ messageId: "both", deliveries, receivedAt: scene.later(-7) });
      await scene.advance(5);
      expectEqual(await see(scene, { messageId: "both", source }), [{ source, seenAt, deliveries: 2 }], "what is seen");
      expectEqual(await see(scene, { messageId: "none", source }), [], "what is seen under an id that never came");
    },
  },
  {
    name: "a message that was filtered everywhere is seen with no delivery",
    async play(scene) {
      const { source } = scene;
      const filtered = [{ destination: null, reason: "no-destination" }] as const;
      await scene.accept({ messageId: "nowhere", deliveries: [], filtered });
      const seen = await see(scene, { messageId: "nowhere", source });
      expectEqual(seen, [{ source, seenAt: scene.now(), deliveries: 0 }], "what is seen");
    },
  },
  {
    name: "an id is seen in the requested source, or in each source that has it",
    async play(scene) {
      const { source, otherSource } = scene;
      const messageId = `${source}-shared`;
      await scene.accept({ messageId });
      await scene.accept({ messageId, source: otherSource, deliveries: [] });
      const seenAt = scene.now();
      const [one, other] = [
        { source, seenAt, deliveries: 1 },
        { source: otherSource, seenAt, deliveries: 0 },
      ];
      expectEqual(await see(scene, { messageId, source }), [one], "what is seen of one source");
      expectEqual(await see(scene, { messageId, source: otherSource }), [other], "what is seen of the other");
      expectEqual(bySource(await see(scene, { messageId })), bySource([one, other]), "what is seen of all");
    },
  },
  {
    name: "duplicates, replays and sweeps do not change what is seen",
    async play(scene) {
      const { source } = scene;
      const seenAt = scene.now();
      const of = await scene.finish(DEAD, { messageId: "kept" });
      await scene.advance(1);
      await scene.commit({ accept: [scene.message({ messageId: "kept", deliveries: [] })] });
      await scene.commit({ replay: [{ of, start: { kind: "waiting", dueAt: scene.now() } }] });
      const expected = [{ source, seenAt, deliveries: 1 }];
      expectEqual(
        await see(scene, { messageId: "kept", source }),
        expected,
        "what is seen after a repeat and a replay",
      );
      const { id } = await scene.claimOne();
      await scene.settle({ id, outcome: DELIVERED });
      await scene.advance(1);
      await scene.store().sweep({ deliveredBefore: scene.now(), deadBefore: scene.now(), limit: 1_000 }, scene.now());
      expectEqual(await scene.store().find(of), undefined, "the swept delivery");
      expectEqual(await see(scene, { messageId: "kept", source }), expected, "what is seen after a sweep");
    },
  },
];

export function see(scene: Scene, query: SeenQuery): Promise<readonly SeenMessage[]> {
  return scene.store().seen(query, scene.now());
}

function bySource(seen: readonly SeenMessage[]): readonly SeenMessage[] {
  return seen.toSorted((one, other) => (one.source < other.source ? -1 : 1));
}
