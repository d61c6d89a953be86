// Cases of look-alikes as ids of messages and sources, and as ids of destinations, which are lanes too: each is stored,
// listed, counted and deduped by itself.

import { MAX_MESSAGE_ID_LENGTH, type SourceId, sourceId, destinationId } from "@postrider/core";
import { expectEqual } from "../check.js";
import { expectEachItself, failAsOne, lookAlikes, showText } from "../look-alikes.js";
import type { Scene, StoreCase } from "./scene.js";
import { listAll } from "./pages.js";
import { bytes, waitingDelivery } from "./samples.js";

/** Only a message id may be empty. */
const MESSAGE_IDS = ["", ...lookAlikes(MAX_MESSAGE_ID_LENGTH)];

const SOURCES = lookAlikes();

export const LOOK_ALIKE_MESSAGE_CASES: readonly StoreCase[] = [
  {
    name: "a message id comes back as it was given, and is distinct from all that look alike",
    async play(scene) {
      const accept = MESSAGE_IDS.map((messageId) => scene.message({ messageId }));
      const { accepted } = await scene.commit({ accept });
      const duplicateId = MESSAGE_IDS.find((_, index) => accepted[index]?.kind !== "stored");
      if (duplicateId !== undefined) await nameTwin(scene, duplicateId);
      const foundIds = new Map<string, readonly string[]>();
      for (const messageId of MESSAGE_IDS) {
        const deliveries = await listAll(scene, { messageId });
        foundIds.set(
          messageId,
          deliveries.map((delivery) => delivery.messageId),
        );
      }
      expectEachItself(foundIds, "what a list by message id shows");
      const { deliveries } = await scene.claim({ limit: MESSAGE_IDS.length });
      const claimedIds = deliveries.map(({ messageId }) => messageId);
      expectEqual(claimedIds.toSorted(), MESSAGE_IDS.toSorted(), "the message ids as claimed");
    },
  },
  {
    name: "a message id is a duplicate only of itself, and seen only by itself",
    async play(scene) {
      await seeOnly(scene, (place) => place % 2 === 0);
      await seeOnly(scene, (place) => place % 2 === 1);
    },
  },
  {
    name: "a source is counted without those that look alike",
    async play(scene) {
      const sources = SOURCES.map((source) => sourceId(source));
      const countsBefore = await refusedBySource(scene);
      await scene.commit({
        tally: sources.map((source, index) => ({ source, refused: index + 1, suppressed: 0, shed: 0 })),
      });
      const countsAfter = await refusedBySource(scene);
      const refusedCounts = sources.map((source) => (countsAfter.get(source) ?? 0) - (countsBefore.get(source) ?? 0));
      for (const [index, source] of sources.entries())
        expectEqual(refusedCounts[index], index + 1, `the refused calls of ${showText(source)}`);
    },
  },
  {
    name: "a source is distinct from all that look alike: its messages, and what is seen of it",
    async play(scene) {
      const messageId = `${scene.source}-in-each`;
      const sources = SOURCES.map((source) => sourceId(source));
      await scene.commit({ accept: sources.map((source) => scene.message({ source, messageId })) });

      const foundSources = new Map<string, readonly string[]>();
      const seenSources = new Map<string, readonly string[]>();
      for (const source of sources) {
        const deliveries = await listAll(scene, { source, messageId });
        foundSources.set(
          source,
          deliveries.map((delivery) => delivery.source),
        );
        const messages = await scene.store().seen({ source, messageId }, scene.now());
        seenSources.set(
          source,
          messages.map((message) => message.source),
        );
      }
      expectEachItself(foundSources, "what a list by source shows");
      expectEachItself(seenSources, "the source in which a message is seen");
      const everywhere = (await scene.store().seen({ messageId }, scene.now())).map(({ source }) => source);
      expectEqual(everywhere.toSorted(), sources.toSorted(), "the sources in which it is seen");
      const { deliveries } = await scene.claim({ limit: sources.length });
      expectEqual(deliveries.map(({ source }) => source).toSorted(), sources.toSorted(), "the sources as claimed");
    },
  },
];

/** Stores some of the message ids in a separate source, and looks for all. */
async function seeOnly(scene: Scene, isStored: (place: number) => boolean): Promise<void> {
  const source = sourceId(`${scene.source}-${isStored(0) ? "even" : "odd"}`);
  const storedIds = MESSAGE_IDS.filter((_, place) => isStored(place));
  await scene.commit({ accept: storedIds.map((messageId) => scene.message({ source, messageId, deliveries: [] })) });
  for (const messageId of MESSAGE_IDS) {
    const sightings = await scene.store().seen({ source, messageId }, scene.now());
    if (sightings.length > 0 && !storedIds.includes(messageId)) await nameTwin(scene, messageId);
    expectEqual(sightings.length, storedIds.includes(messageId) ? 1 : 0, `how often ${showText(messageId)} is seen`);
  }
}

async function refusedBySource(scene: Scene): Promise<ReadonlyMap<SourceId, number>> {
  return new Map((await scene.store().counts()).map(({ source, refused }) => [source, refused]));
}

/** Finds out of which other id this one is a duplicate: each other is stored in a separate source. */
async function nameTwin(scene: Scene, messageId: string): Promise<void> {
  const otherIds = MESSAGE_IDS.filter((id) => id !== messageId);
  for (const [index, otherId] of otherIds.entries()) {
    const source = sourceId(`${scene.otherSource}-twin-${String(index)}`);
    await scene.commit({ accept: [scene.message({ source, messageId: otherId, deliveries: [] })] });
    const sightings = await scene.store().seen({ source, messageId }, scene.now());
    const { accepted } = await scene.commit({ accept: [scene.message({ source, messageId, deliveries: [] })] });
    if (sightings.length > 0 || accepted[0]?.kind === "duplicate") failAsOne(otherId, messageId, "a message id");
  }
  throw new Error(`${showText(messageId)} is a duplicate, although no other id makes it one`);
}

const LANES = lookAlikes().map((lane) => destinationId(lane));

export const LOOK_ALIKE_LANE_CASES: readonly StoreCase[] = [
  {
    name: "a lane is distinct from all that look alike: in lists, in pages of lanes, in claims",
    async play(scene) {
      const countsBefore = await deliveriesByLane(scene);
      await acceptForEach(scene);
      const foundLanes = new Map<string, readonly string[]>();
      for (const lane of LANES) foundLanes.set(lane, storedFor(await listAll(scene, { destination: lane })));
      expectEachItself(foundLanes, "what a list by destination shows");
      const countsAfter = await deliveriesByLane(scene);
      for (const lane of LANES)
        expectEqual(
          (countsAfter.get(lane) ?? 0) - (countsBefore.get(lane) ?? 0),
          1,
          `the deliveries of lane ${showText(lane)}`,
        );

      const claimedLanes = new Map<string, readonly string[]>();
      for (const lane of LANES) {
        const { deliveries, nextDueAt } = await scene.claim({ lane, limit: 1_000 });
        const sceneDeliveries = deliveries.filter(({ source }) => source === scene.source);
        claimedLanes.set(lane, storedFor(sceneDeliveries));
        expectEqual([...nextDueAt.keys()], [lane], `the lanes whose next delivery a claim of ${showText(lane)} tells`);
      }
      expectEachItself(claimedLanes, "what a claim hands out of a lane");
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
      const pullEntries = (await listAll(scene)).map(({ messageId, dueAt = 0 }) => {
        return [LANES[Number(messageId)] ?? "", LANES.filter((_, place) => dueAt === scene.later(place))] as const;
      });
      expectEachItself(new Map(pullEntries), "the lane that was pulled in");
      expectEqual(pullEntries.length, LANES.length, "how many deliveries there are");
      // Nothing is left for a later run of this case, whose lanes have the same names.
      await endEach(scene);
    },
  },
  {
    name: "a lane is ended without those that look alike",
    async play(scene) {
      await acceptForEach(scene, 900_000);
      await endEach(scene);
      const endEntries = (await listAll(scene, { states: ["dead"] })).map(({ messageId, detail }) => {
        return [LANES[Number(messageId)] ?? "", LANES.filter((_, place) => detail === String(place))] as const;
      });
      expectEachItself(new Map(endEntries), "the lane that was ended");
      expectEqual(endEntries.length, LANES.length, "how many deliveries are dead");
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
    const lastRow = lanes.at(-1);
    if (!more || lastRow === undefined) return counts;
    after = { after: lastRow.lane };
  }
  throw new Error(`the lanes have no end after ${String(MAX_PAGES)} pages`);
}
