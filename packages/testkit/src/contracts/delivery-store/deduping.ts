// Which messages are duplicates: those of the same source under the same id, for 24 hours.

import { expectEqual } from "../check.js";
import { bytes, DELIVERED } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";

const DAY_MS = 86_400_000;

export const DEDUPING_CASES: readonly StoreCase[] = [
  {
    name: "the same id of the same source again is a duplicate, and the first body wins",
    async play(scene) {
      const id = await scene.acceptOne({ messageId: "twice", body: bytes("first") });
      expectEqual(await answerTo(scene, "twice", "second"), "duplicate", "the answer to the second");
      const { deliveries } = await scene.store().list({ source: scene.source, limit: 10 });
      expectEqual(
        deliveries.map((delivery) => delivery.id),
        [id],
        "what is listed",
      );
      expectEqual((await scene.record(id)).body, bytes("first"), "the body");
      await scene.expectCounts({ accepted: 1, waiting: 1, duplicates: 1 }, "after a duplicate");
    },
  },
  {
    name: "of two equal ids in one commit the first is stored and the other is a duplicate",
    async play(scene) {
      const accept = ["first", "second"].map((text) => scene.message({ messageId: "twin", body: bytes(text) }));
      const { accepted } = await scene.commit({ accept });
      expectEqual(
        accepted.map((answer) => answer.kind),
        ["stored", "duplicate"],
        "the answers",
      );
      expectEqual((await scene.claimOne()).body, bytes("first"), "the body that was stored");
    },
  },
  {
    name: "the same id in two sources makes two messages",
    async play(scene) {
      await scene.accept({ messageId: "shared" });
      await scene.accept({ messageId: "shared", source: scene.otherSource });
      expectEqual((await scene.claimIds()).length, 2, "how many deliveries there are");
    },
  },
  {
    name: "a source and an id are compared separately",
    async play(scene) {
      await scene.accept({ source: scene.source, messageId: "-1:x" });
      await scene.accept({ source: `${scene.source}-1` as Scene["source"], messageId: ":x" });
      await scene.accept({ source: `${scene.source}-1:` as Scene["source"], messageId: "x" });
    },
  },
  {
    name: "a message that was filtered everywhere is remembered",
    async play(scene) {
      const filtered = [{ destination: null, reason: "no-destination" }] as const;
      await scene.accept({ messageId: "nowhere", deliveries: [], filtered });
      expectEqual(await answerTo(scene, "nowhere"), "duplicate", "the answer to the second");
    },
  },
  {
    name: "a message id is remembered after its delivery was finished and swept",
    async play(scene) {
      const id = await scene.finish(DELIVERED, { messageId: "gone" });
      await scene.advance(2);
      await scene.store().sweep({ deliveredBefore: scene.now(), deadBefore: scene.now(), limit: 1_000 }, scene.now());
      expectEqual(await scene.store().find(id), undefined, "the swept delivery");
      expectEqual(await answerTo(scene, "gone"), "duplicate", "the answer to the second");
    },
  },
  {
    name: "a message id is remembered for 24 hours, and no longer",
    needs: ["days"],
    async play(scene) {
      await scene.accept({ messageId: "daily" });
      await scene.advance(DAY_MS - 1);
      expectEqual(await answerTo(scene, "daily"), "duplicate", "the answer 1 ms before the day is over");
      await scene.advance(1);
      expectEqual(await answerTo(scene, "daily"), "stored", "the answer once the day is over");
      expectEqual(await answerTo(scene, "daily"), "duplicate", "the answer after that");
    },
  },
  {
    name: "a duplicate does not keep its id remembered for longer",
    needs: ["days"],
    async play(scene) {
      await scene.accept({ messageId: "insistent" });
      await scene.advance(DAY_MS / 2);
      expectEqual(await answerTo(scene, "insistent"), "duplicate", "the answer after half a day");
      await scene.advance(DAY_MS / 2);
      expectEqual(await answerTo(scene, "insistent"), "stored", "the answer a day after the first");
    },
  },
];

async function answerTo(scene: Scene, messageId: string, text = "again"): Promise<string | undefined> {
  const { accepted } = await scene.commit({ accept: [scene.message({ messageId, body: bytes(text) })] });
  return accepted[0]?.kind;
}
