// Cases of hints to listeners that have ended: another listener has stopped them, or their store is closed.

import { destinationId } from "@postrider/core";
import { expectEqual } from "../check.js";
import { type Ear, hintsOf, listenTo, tellNewLane, tellUntil, withOthers } from "./hints-scene.js";
import type { Scene, StoreCase } from "./scene.js";

/** Enough for a listener to connect, and for a store to close at any point of the way of a hint. */
const ROUNDS = 10;

export const ENDED_LISTENER_CASES: readonly StoreCase[] = [
  {
    name: "a hint is not heard by a listener that another one has stopped when it heard the same hint",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 2, async ([store, witness]) => {
        // One on each side, since a store may call its listeners in any order.
        const ears = [listenTo(store)];
        let heard: readonly number[] | undefined;
        const unlisten = hintsOf(store).listen(() => {
          for (const ear of ears) ear.close();
          heard ??= ears.map((ear) => ear.all().length);
        });
        ears.push(listenTo(store));
        const witnessing = listenTo(witness);
        await tellUntil(scene, [scene.lane], () => heard !== undefined);
        await tellUntil(scene, [scene.otherLane], () => witnessing.heard([scene.otherLane]));
        const heardInTheEnd = ears.map((ear) => ear.all().length);
        expectEqual(heardInTheEnd, heard, "how many hints two listeners have heard, that another one has stopped");
        unlisten();
        witnessing.close();
      }),
  },
  {
    name: "nothing arrives at a process that has closed its store, also at a listener that comes later",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 2, async ([store, witness]) => {
        const [ear, witnessing] = [listenTo(store), listenTo(witness)];
        await tellUntil(scene, [scene.lane], () => ear.heard([scene.lane]));
        await store.close();
        const [before, late] = [ear.all().length, listenTo(store)];
        await tellRounds(scene, witnessing);
        expectEqual(ear.all().slice(before), [], "what is heard by a process that has closed its store");
        expectEqual(late.all(), [], "what is heard by a listener of a store that is closed");
        late.close();
        witnessing.close();
      }),
  },
  {
    name: "a hint that is on its way to a store that closes is not heard once it is closed",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 1, async ([witness]) => {
        const witnessing = listenTo(witness);
        for (let round = 0; round < ROUNDS; round += 1) {
          const store = await scene.openAnother();
          const ear = listenTo(store);
          await tellUntil(scene, [scene.lane], () => ear.heard([scene.lane]));
          const lane = destinationId(scene.uniqueName(`round ${String(round)}`));
          const telling = hintsOf(scene.store()).tell([lane]);
          for (let turn = 0; turn < round; turn += 1) await Promise.resolve();
          await store.close();
          const before = ear.all().length;
          await telling;
          await tellUntil(scene, [lane], () => witnessing.heard([lane]));
          expectEqual(ear.all().slice(before), [], "what is heard of a store that is closed");
        }
        witnessing.close();
      }),
  },
  {
    name: "a listener that comes while its store closes hears nothing, nor does it afterwards",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 2, async ([store, witness]) => {
        const witnessing = listenTo(witness);
        const early = listenTo(store);
        await tellUntil(scene, [scene.lane], () => early.heard([scene.lane]));
        const closing = store.close();
        const late = listenTo(store);
        await closing;
        const before = early.all().length;
        await tellRounds(scene, witnessing);
        expectEqual(late.all(), [], "what is heard by a listener that came while its store closed");
        expectEqual(early.all().slice(before), [], "what is heard by a listener that came before its store closed");
        late.close();
        early.close();
        witnessing.close();
      }),
  },
  {
    name: "a listener that unlistens once its store is closed ends the listening of no other store",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 2, async ([store, other]) => {
        const [ended, listening] = [[listenTo(store), listenTo(store)], listenTo(other)];
        const ears = [...ended, listening];
        await tellUntil(scene, [scene.lane], () => ears.every((ear) => ear.heard([scene.lane])));
        await store.close();
        for (const ear of [...ended, ...ended]) ear.close();
        await tellRounds(scene, listening);
        await store.close();
        await tellUntil(scene, [scene.otherLane], () => listening.heard([scene.otherLane]));
        listening.close();
      }),
  },
];

/** Tells further hints until each was heard: a listener that connects first needs several until it hears one. */
async function tellRounds(scene: Scene, witness: Ear): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await tellNewLane(scene, witness, `told ${String(round)}`);
}
