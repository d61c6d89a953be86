// Cases of listeners that listen, stop and close while they hear a hint.

import { type DeliveryStore, destinationId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { type Ear, hintsOf, listenTo, MAX_TELLS, tellNewLane, tellUntil, withOthers } from "./hints-scene.js";
import type { Scene, StoreCase } from "./scene.js";

/** More often than any store calls a listener for the hints of one round. */
const MOST_CALLS = 10_000;

/** A store may do well at the first hint alone. */
const ROUNDS = 3;

export const LISTENING_WITHIN_CASES: readonly StoreCase[] = [
  {
    name: "a listener that stops itself when it hears a hint hears no other one, and those beside it hear the same",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 2, async ([store, other]) => {
        for (let round = 0; round < MAX_TELLS; round += 1) {
          const lane = destinationId(scene.uniqueName(`round ${String(round)}`));
          const before = [listenTo(store), listenTo(store)];
          const stopping = listenTo(store, (lanes) => {
            if (lanes.includes(lane)) stopping.close();
          });
          const beside = [...before, listenTo(store), listenTo(store), listenTo(other)];
          const ears = [stopping, ...beside];
          await tellUntil(scene, [scene.lane], () => ears.every((ear) => ear.heard([scene.lane])));
          await hintsOf(scene.store()).tell([lane]);
          await scene.awaitHint();
          await tellUntil(scene, [scene.otherLane], () => beside.every((ear) => ear.heard([scene.otherLane])));
          if (stopping.heard([lane]))
            expectEqual(stopping.all().at(-1), [lane], "the last hint of a listener that has stopped itself");
          const areAllTold = ears.every((ear) => ear.heard([lane]));
          closeAll(ears);
          if (areAllTold) return;
        }
        throw new Error("a hint at which a listener stops itself was never heard by all of those beside it");
      }),
  },
  {
    name: "a listener that another one adds when it hears a hint hears later ones, and those beside it hear them too",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 1, async ([store]) => {
        const ears = [listenTo(store)];
        let added: Ear | undefined;
        const stop = hintsOf(store).listen(() => {
          added ??= listenTo(store);
        });
        ears.push(listenTo(store));
        await tellUntil(scene, [scene.lane], () => added !== undefined, "a hint to a listener that adds another one");
        const isHeard = (): boolean => [...ears, added].every((ear) => ear?.heard([scene.otherLane]));
        await tellUntil(scene, [scene.otherLane], isHeard, "a hint to a listener that was added within another one");
        stop();
        closeAll(ears);
        added?.close();
      }),
  },
  {
    name: "a function that stops listening and listens again when it hears a hint hears later ones",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 1, async ([store]) => {
        let hints = 0;
        const onHint = (): void => {
          hints += 1;
          if (hints > MOST_CALLS) return;
          stop();
          stop = hintsOf(store).listen(onHint);
        };
        let stop = hintsOf(store).listen(onHint);
        for (let round = 0; round < ROUNDS; round += 1) {
          const before = hints;
          await tellUntil(scene, [scene.lane], () => hints > before, "a hint to a function that listens again");
        }
        stop();
        expectThat(hints <= MOST_CALLS, "a function that listens again hears one hint again and again");
      }),
  },
  {
    name: "a listener that replaces itself whenever it hears a hint is called once for each, and never for what it has replaced",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 2, async ([store, witness]) => {
        const witnessing = listenTo(witness);
        let [calls, ended, isDone] = [0, 0, false];
        let stop: () => void = () => undefined;
        const replace = (): void => {
          let isCurrent = true;
          stop = hintsOf(store).listen(() => {
            if (!isCurrent) ended += 1;
            calls += 1;
            if (isDone || calls > MOST_CALLS) return;
            isCurrent = false;
            stop();
            replace();
          });
        };
        replace();
        for (let round = 0; round < ROUNDS; round += 1) {
          const [lane, before] = [destinationId(scene.uniqueName(`round ${String(round)}`)), calls];
          await tellUntil(
            scene,
            [lane],
            () => witnessing.heard([lane]) && calls > before,
            "a hint to a listener that replaces itself",
          );
        }
        isDone = true;
        stop();
        expectThat(calls < MOST_CALLS, "a listener that replaces itself hears one hint again and again");
        expectEqual(ended, 0, "how often a listener is called that has replaced itself");
        witnessing.close();
      }),
  },
  {
    name: "a store that a listener closes when it hears a hint calls none of its listeners any more, and the other ones hear on",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 1, async ([witness]) => {
        const witnessing = listenTo(witness);
        for (let round = 0; round < ROUNDS; round += 1) {
          const store = await scene.openAnother();
          // One on each side, since a store may call its listeners in any order.
          const ears = [listenTo(store)];
          const closer = closeWithin(store, store);
          ears.push(listenTo(store));
          await closer.tell(scene);
          const before = ears.map((ear) => ear.all().length);
          await tellNewLane(scene, witnessing, `round ${String(round)}`);
          expectEqual(
            ears.map((ear) => ear.all().length),
            before,
            "how many hints are heard of a store that a listener has closed",
          );
        }
        witnessing.close();
      }),
  },
  {
    name: "a listener that closes another store when it hears a hint ends the listening of that one, and of no other",
    needs: ["hints", "sharing"],
    play: (scene) =>
      withOthers(scene, 1, async ([store]) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const closed = await scene.openAnother();
          const [ear, other] = [listenTo(store), listenTo(closed)];
          const closer = closeWithin(store, closed);
          await closer.tell(scene);
          const before = other.all().length;
          await tellNewLane(scene, ear, `round ${String(round)}`);
          expectEqual(
            other.all().slice(before),
            [],
            "what is heard of a store that a listener of another one has closed",
          );
          closer.stop();
          ear.close();
        }
      }),
  },
];

/** Listens to a store, and closes this one or another when it hears a hint. `tell` tells hints until the store is closed. */
function closeWithin(store: DeliveryStore, closed: DeliveryStore): Closer {
  let closing: Promise<void> | undefined;
  const stop = hintsOf(store).listen(() => {
    closing ??= closed.close();
  });
  return {
    stop,
    tell: async (scene) => {
      await tellUntil(scene, [scene.lane], () => closing !== undefined, "a hint to a listener that closes a store");
      await closing;
    },
  };
}

interface Closer {
  readonly stop: () => void;
  readonly tell: (scene: Scene) => Promise<void>;
}

function closeAll(ears: readonly Ear[]): void {
  for (const ear of ears) ear.close();
}
