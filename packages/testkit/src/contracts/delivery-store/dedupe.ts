// Cases of message ids: a message of the same source under the same id is a duplicate for 24 hours; for as long,
// `seen` tells when the first was accepted and how many deliveries it got.

import type { SeenMessage, SeenQuery } from "@postrider/core";
import { expectEqual } from "../check.js";
import { bytes, DELIVERED, DEAD, waitingDelivery } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";
import { deletionScene } from "./users.js";

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
      const sightings = await see(scene, { messageId: "nowhere", source });
      expectEqual(sightings, [{ source, seenAt: scene.now(), deliveries: 0 }], "what is seen");
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
      const [sighting, otherSighting] = [
        { source, seenAt, deliveries: 1 },
        { source: otherSource, seenAt, deliveries: 0 },
      ];
      expectEqual(await see(scene, { messageId, source }), [sighting], "what is seen of one source");
      expectEqual(await see(scene, { messageId, source: otherSource }), [otherSighting], "what is seen of the other");
      expectEqual(
        bySource(await see(scene, { messageId })),
        bySource([sighting, otherSighting]),
        "what is seen of all",
      );
    },
  },
  {
    name: "duplicates, replays and sweeps do not change what is seen",
    async play(scene) {
      const { source } = scene;
      const seenAt = scene.now();
      const id = await scene.finish(DEAD, { messageId: "kept" });
      await scene.advance(1);
      await scene.commit({ accept: [scene.message({ messageId: "kept", deliveries: [] })] });
      await scene.commit({ replay: [{ of: id, start: { kind: "waiting", dueAt: scene.now() } }] });
      const expected = [{ source, seenAt, deliveries: 1 }];
      expectEqual(
        await see(scene, { messageId: "kept", source }),
        expected,
        "what is seen after a repeat and a replay",
      );
      const replay = await scene.claimOne();
      await scene.settle({ id: replay.id, outcome: DELIVERED });
      await scene.advance(1);
      await scene.store().sweep({ deliveredBefore: scene.now(), deadBefore: scene.now(), limit: 1_000 }, scene.now());
      expectEqual(await scene.store().find(id), undefined, "the swept delivery");
      expectEqual(await see(scene, { messageId: "kept", source }), expected, "what is seen after a sweep");
    },
  },
];

function see(scene: Scene, query: SeenQuery): Promise<readonly SeenMessage[]> {
  return scene.store().seen(query, scene.now());
}

function bySource(sightings: readonly SeenMessage[]): readonly SeenMessage[] {
  return sightings.toSorted((first, second) => (first.source < second.source ? -1 : 1));
}

export const SEEING_LATER_CASES: readonly StoreCase[] = [
  {
    name: "a suppressed user's message is not seen",
    needs: ["deletions"],
    async play(scene) {
      const { source } = scene;
      const { user, open } = deletionScene(scene);
      await open({ userIds: [user("ann")], regulation: "suppress-only" });
      await scene.commit({ accept: [scene.message({ messageId: "hers", userIds: [user("ann")] })] });
      expectEqual(await see(scene, { messageId: "hers", source }), [], "what is seen");
    },
  },
  {
    name: "a message id is seen for as long as it makes duplicates, and no longer",
    needs: ["days"],
    async play(scene) {
      const { source } = scene;
      const firstSighting = { source, seenAt: scene.now(), deliveries: 1 };
      await scene.accept({ messageId: "daily" });
      await scene.advance(DAY_MS - 1);
      expectEqual(await see(scene, { messageId: "daily", source }), [firstSighting], "1 ms before the day is over");
      await scene.advance(1);
      expectEqual(await see(scene, { messageId: "daily", source }), [], "once the day is over");
      await scene.accept({ messageId: "daily", deliveries: [] });
      const secondSighting = { source, seenAt: scene.now(), deliveries: 0 };
      expectEqual(await see(scene, { messageId: "daily", source }), [secondSighting], "once it has come again");
    },
  },
  {
    name: "seen message ids survive a crash",
    needs: ["restart"],
    async play(scene) {
      const { source } = scene;
      await scene.accept({ messageId: "one" });
      await scene.accept({ messageId: "none", deliveries: [] });
      await scene.crash();
      const seenAt = scene.now();
      expectEqual(await see(scene, { messageId: "one", source }), [{ source, seenAt, deliveries: 1 }], "the first");
      expectEqual(await see(scene, { messageId: "none", source }), [{ source, seenAt, deliveries: 0 }], "the second");
    },
  },
];
