// Cases of two calls at the same time: each is played with two processes and with two calls of one, in many orders of their
// steps. The scene and the calls may be of any port.

import type { GateControl } from "./gate.js";
import { type Order, ordersOf, inOneTurn, inOrder, type Together } from "./play-order.js";

/** The part of a port's scene that a race uses. */
export interface RaceScene<Store, OneScene> {
  readonly isGated: boolean;
  readonly gates: GateControl;
  /** The same store with names that are used nowhere else. */
  anew(): OneScene;
  store(): Store;
  openAnother(): Promise<Store>;
}

/** A promise about two calls at the same time. */
export interface Race<OneScene, Store, Need extends string> {
  readonly name: string;
  readonly needs?: readonly Need[];
  /** Prepares the storage, makes the two calls `together`, and tests what is there afterwards. Played many times. */
  play(scene: OneScene, moves: RaceMoves<Store>): Promise<void>;
}

export interface RaceMoves<Store> {
  /** The store of the second call: another process, or the store of the first call. */
  readonly otherStore: Store;
  readonly together: Together;
}

export interface RaceCase<OneScene, Need extends string> {
  readonly name: string;
  readonly needs: readonly (Need | "sharing")[];
  play(scene: OneScene): Promise<void>;
}

type Closable = { close(): Promise<void> };

/** The number of times that two calls are made at once if no gate decides the order of their steps. */
export const UNGATED_REPEATS = 20;

/** Each race as two cases: between two processes, and between two calls of one process. */
export function raceCases<Store extends Closable, OneScene extends RaceScene<Store, OneScene>, Need extends string>(
  races: readonly Race<OneScene, Store, Need>[],
): readonly RaceCase<OneScene, Need>[] {
  return races.flatMap((race) => [
    {
      name: `${race.name}, between two processes`,
      needs: [...(race.needs ?? []), "sharing" as const],
      play: async (scene: OneScene): Promise<void> => {
        const otherStore = await scene.openAnother();
        try {
          await playOften(scene, race, otherStore);
        } finally {
          await otherStore.close();
        }
      },
    },
    {
      name: `${race.name}, between two calls of one process`,
      needs: race.needs ?? [],
      play: (scene: OneScene): Promise<void> => playOften(scene, race, scene.store()),
    },
  ]);
}

function playOften<Store, OneScene extends RaceScene<Store, OneScene>, Need extends string>(
  scene: OneScene,
  race: Race<OneScene, Store, Need>,
  otherStore: Store,
): Promise<void> {
  return scene.isGated ? playGated(scene, race, otherStore) : playUngated(scene, race, otherStore);
}

async function playGated<Store, OneScene extends RaceScene<Store, OneScene>, Need extends string>(
  scene: OneScene,
  race: Race<OneScene, Store, Need>,
  otherStore: Store,
): Promise<void> {
  let mostSteps = 0;
  const note = (count: number): void => {
    mostSteps = Math.max(mostSteps, count);
  };
  for (const order of ordersOf(() => mostSteps)) {
    const together = inOrder(scene.gates, order, note);
    await playNamed(describeOrder(order), () => race.play(scene.anew(), { otherStore, together }));
  }
}

async function playUngated<Store, OneScene extends RaceScene<Store, OneScene>, Need extends string>(
  scene: OneScene,
  race: Race<OneScene, Store, Need>,
  otherStore: Store,
): Promise<void> {
  for (let count = 0; count < UNGATED_REPEATS; count += 1) {
    const label = `the ${String(count + 1)}. of ${String(UNGATED_REPEATS)} times`;
    await playNamed(label, () => race.play(scene.anew(), { otherStore, together: inOneTurn(count) }));
  }
}

async function playNamed(what: string, play: () => Promise<void>): Promise<void> {
  try {
    await play();
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function describeOrder({ first, switches }: Order): string {
  const start = first === 0 ? "the first call starts" : "the second call starts";
  return switches.size === 0 ? start : `${start}, with a switch before the steps ${[...switches].join(", ")}`;
}
