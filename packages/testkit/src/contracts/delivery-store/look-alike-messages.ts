// Cases of look-alikes as ids of messages and sources, as ids of destinations, which are lanes too, and as tokens of
// leases: each is stored, listed, counted and deduped by itself.

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
      const merged = MESSAGE_IDS.find((_, index) => accepted[index]?.kind !== "stored");
      if (merged !== undefined) await nameTwin(scene, merged);
      const foundIds = new Map<string, readonly string[]>();
      for (const messageId of MESSAGE_IDS) {
        const listed = await listAll(scene, { messageId });
        foundIds.set(
          messageId,
          listed.map((delivery) => delivery.messageId),
        );
      }
      expectEachItself(foundIds, "what a list by message id shows");
      const { deliveries } = await scene.claim({ limit: MESSAGE_IDS.length });
      const claimed = deliveries.map(({ messageId }) => messageId);
      expectEqual(claimed.toSorted(), MESSAGE_IDS.toSorted(), "the message ids as claimed");
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
      const before = await refusedBySource(scene);
      await scene.commit({
        tally: sources.map((source, index) => ({ source, refused: index + 1, suppressed: 0, shed: 0 })),
      });
      const after = await refusedBySource(scene);
      const refusedCounts = sources.map((source) => (after.get(source) ?? 0) - (before.get(source) ?? 0));
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

      const listed = new Map<string, readonly string[]>();
      const seenSources = new Map<string, readonly string[]>();
      for (const source of sources) {
        const deliveries = await listAll(scene, { source, messageId });
        listed.set(
          source,
          deliveries.map((delivery) => delivery.source),
        );
        const messages = await scene.store().seen({ source, messageId }, scene.now());
        seenSources.set(
          source,
          messages.map((message) => message.source),
        );
      }
      expectEachItself(listed, "what a list by source shows");
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
async function nameTwin(scene: Scene, asked: string): Promise<void> {
  const otherIds = MESSAGE_IDS.filter((id) => id !== asked);
  for (const [index, stored] of otherIds.entries()) {
    const source = sourceId(`${scene.otherSource}-twin-${String(index)}`);
    await scene.commit({ accept: [scene.message({ source, messageId: stored, deliveries: [] })] });
    const sightings = await scene.store().seen({ source, messageId: asked }, scene.now());
    const { accepted } = await scene.commit({ accept: [scene.message({ source, messageId: asked, deliveries: [] })] });
    if (sightings.length > 0 || accepted[0]?.kind === "duplicate") failAsOne(stored, asked, "a message id");
  }
  throw new Error(`${showText(asked)} is a duplicate, although no other id makes it one`);
}

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
