// Cases of hints between the processes of a store. A hint may be lost, late or repeated, so a case tells it until it is heard; it
// demands that what arrives was told, and that nothing arrives once nothing listens.

import { type DestinationId, destinationId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { lookAlikes, showText } from "../look-alikes.js";
import { hintsOf, isSame, listenTo, MAX_TELLS, tellTurns, tellUntil, withOthers } from "./hints-scene.js";
import type { StoreCase } from "./scene.js";

/** The number of times that a listener unlistens while a hint is on its way. */
const ROUNDS = 10;

/** A list for which no store of hints needs more than one. */
const LONG_LIST = 1_000;

export const HINTING_CASES: readonly StoreCase[] = [
  {
    name: "a hint of one process reaches the others, with its lanes",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 2, async (others) => {
        const ears = others.map((store) => listenTo(store));
        const lanes = [scene.lane, scene.otherLane];
        await tellUntil(scene, lanes, () => ears.every((ear) => ear.heard(lanes)));
        for (const ear of ears) {
          const strange = ear.all().filter((list) => !isSame(list, lanes));
          expectEqual(strange, [], "lists that were heard and not told");
          ear.close();
        }
      }),
  },
  {
    name: "the lanes of a hint arrive as they were, whatever texts they are",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 1, async ([store]) => {
        const ear = listenTo(store);
        for (const text of ["", ...lookAlikes()]) {
          const lane = destinationId(text);
          const from = ear.all().length;
          const isHeard = (): boolean =>
            ear
              .all()
              .slice(from)
              .some((list) => isSame(list, [lane]));
          await tellUntil(scene, [lane], isHeard, `the lane ${showText(text)}`);
        }
        for (const lanes of tens(lookAlikes().map(destinationId)))
          await tellUntil(
            scene,
            lanes,
            () => ear.heard(lanes),
            `the lanes ${lanes.map(showText).join(" ")} of one hint`,
          );
        const told = new Set(["", ...lookAlikes()]);
        const strange = ear
          .all()
          .flat()
          .filter((lane) => !told.has(lane));
        expectEqual(strange, [], "lanes that were heard and not told");
        ear.close();
      }),
  },
  {
    name: "a hint without lanes arrives without lanes: it stands for any lane",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 1, async ([store]) => {
        const ear = listenTo(store);
        await tellUntil(scene, [], () => ear.heard([]));
        expectEqual(ear.all().flat(), [], "lanes that were heard and not told");
        ear.close();
      }),
  },
  {
    name: "a hint of very many lanes arrives with all of them, or stands for any lane",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 1, async ([store]) => {
        const ear = listenTo(store);
        const lanes = Array.from({ length: LONG_LIST }, (_, index) => destinationId(`${scene.lane} ${String(index)}`));
        const isHeard = (): boolean => {
          const heard = new Set(ear.all().flat());
          return ear.heard([]) || lanes.every((lane) => heard.has(lane));
        };
        await tellUntil(scene, lanes, isHeard, "a hint of very many lanes");
        ear.close();
      }),
  },
  {
    name: "each listener of a process hears hints until it unlistens, and none afterwards",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 2, async ([store, witness]) => {
        const [first, second, third] = [listenTo(store), listenTo(store), listenTo(witness)];
        await tellUntil(scene, [scene.lane], () => [first, second, third].every((ear) => ear.heard([scene.lane])));
        first.close();
        first.close();
        const before = first.all().length;
        await tellUntil(scene, [scene.otherLane], () => [second, third].every((ear) => ear.heard([scene.otherLane])));
        expectEqual(first.all().slice(before), [], "what a listener hears after it has unlistened");
        second.close();
        third.close();
      }),
  },
  {
    name: "one hint reaches each of the other processes, and hints of one turn all arrive",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 2, async (others) => {
        const ears = others.map((store) => listenTo(store));
        const laneOf = (name: string): DestinationId => destinationId(scene.uniqueName(name));
        await tellTurns(scene, ears, () => [[laneOf("one")]]);
        await tellTurns(scene, ears, () => [[laneOf("one")], [laneOf("two")]]);
        await tellTurns(scene, ears, () => [[], [laneOf("one")]]);
        await tellTurns(scene, ears, () => [[laneOf("one")], []]);
        for (const ear of ears) ear.close();
      }),
  },
  {
    name: "a function that listens twice hears hints until it has unlistened twice",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 1, async ([store]) => {
        let hints = 0;
        const onHint = (): void => void (hints += 1);
        const [first, second] = [hintsOf(store).listen(onHint), hintsOf(store).listen(onHint)];
        first();
        await tellUntil(scene, [scene.lane], () => hints > 0, "a hint to a function that has unlistened once of twice");
        second();
      }),
  },
  {
    name: "a hint that is on its way to a listener that unlistens is not heard by it",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 2, async ([store, witness]) => {
        const witnessing = listenTo(witness);
        for (let round = 0; round < ROUNDS; round += 1) {
          const ear = listenTo(store);
          const lane = destinationId(scene.uniqueName("on its way"));
          const telling = hintsOf(scene.store()).tell([lane]);
          ear.close();
          const before = ear.all().length;
          await telling;
          await tellUntil(scene, [lane], () => witnessing.heard([lane]));
          expectEqual(ear.all().slice(before), [], "what a listener hears after it has unlistened");
        }
        witnessing.close();
      }),
  },
  {
    name: "a listener that comes later hears what is told from then on",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 1, async ([store]) => {
        await hintsOf(scene.store()).tell([scene.lane]);
        const first = listenTo(store);
        await tellUntil(scene, [scene.lane], () => first.heard([scene.lane]));
        first.close();
        const second = listenTo(store);
        await tellUntil(scene, [scene.otherLane], () => second.heard([scene.otherLane]));
        second.close();
      }),
  },
  {
    name: "a hint is sent although no process listens",
    needs: ["hints"],
    async play(scene) {
      await hintsOf(scene.store()).tell([scene.lane]);
      await hintsOf(scene.store()).tell([]);
    },
  },
  {
    name: "a list that is changed, after it was told or by a listener, arrives at all others as it was told",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 2, async ([store, witness]) => {
        const spoiled = destinationId(scene.uniqueName("spoiled"));
        const spoil = (lanes: readonly DestinationId[]): void => void (lanes as DestinationId[]).fill(spoiled);
        const first = [listenTo(store), listenTo(witness)];
        const spoiling = [scene.store(), store, witness].map((one) => hintsOf(one).listen(spoil));
        const ears = [...first, listenTo(store), listenTo(witness)];
        const isHeard = (): boolean => ears.every((ear) => ear.heard([scene.lane]));
        for (let tells = 0; tells < MAX_TELLS && !isHeard(); tells += 1) {
          const [kept, changed] = [[scene.lane], [scene.lane]];
          const telling = hintsOf(scene.store()).tell(changed);
          changed.fill(spoiled);
          await telling;
          await hintsOf(scene.store()).tell(kept);
          await scene.awaitHint();
          expectEqual(kept, [scene.lane], "the list of a caller after listeners have changed what they heard");
        }
        expectThat(isHeard(), "a list that its caller or a listener has changed was not heard as it was told");
        const isSpoiled = ears.some((ear) => ear.all().flat().includes(spoiled));
        expectEqual(isSpoiled, false, "whether what a caller or a listener wrote is heard");
        for (const unlisten of spoiling) unlisten();
        for (const ear of ears) ear.close();
      }),
  },
  {
    name: "a list that its caller changes and tells once more arrives as it was changed",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 1, async ([store]) => {
        const ear = listenTo(store);
        const lanes = [scene.lane];
        for (const lane of [scene.lane, scene.otherLane, scene.lane]) {
          lanes.fill(lane);
          const from = ear.all().length;
          await tellUntil(scene, lanes, () => ear.all().slice(from).flat().includes(lane), "a list that was changed");
        }
        ear.close();
      }),
  },
  {
    name: "a list that a listener keeps stays as it arrived, whatever arrives later",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 1, async ([store]) => {
        const kept: { readonly lanes: readonly DestinationId[]; readonly asHeard: string }[] = [];
        const unlisten = hintsOf(store).listen((lanes) => kept.push({ lanes, asHeard: JSON.stringify(lanes) }));
        for (const name of ["one", "two", "three", "four"]) {
          const lane = destinationId(scene.uniqueName(name));
          await tellUntil(scene, [lane], () => kept.some(({ asHeard }) => asHeard === JSON.stringify([lane])));
        }
        const [now, before] = [kept.map(({ lanes }) => JSON.stringify(lanes)), kept.map(({ asHeard }) => asHeard)];
        expectEqual(now, before, "the lists that a listener has kept");
        unlisten();
      }),
  },
];

/** Lists of ten, in their order: what looks alike is told by one hint. */
function tens(lanes: readonly DestinationId[]): readonly (readonly DestinationId[])[] {
  return Array.from({ length: Math.ceil(lanes.length / 10) }, (_, place) => lanes.slice(place * 10, place * 10 + 10));
}
