// The moves of the cases of hints: listeners that note what they hear, and hints that are told until they were heard, since one may be
// lost or late.

import { type DeliveryStore, type DestinationId, destinationId, type Hints } from "@postrider/core";
import { expectPresent } from "../check.js";
import type { Scene } from "./scene.js";

/** The number of times that a hint is told until it must have been heard, as the harness promises. */
export const MAX_TELLS = 200;

/** A listener that notes what it hears. */
export interface Ear {
  readonly all: () => readonly (readonly DestinationId[])[];
  readonly heard: (lanes: readonly DestinationId[]) => boolean;
  readonly close: () => void;
}

/** Listens. What it hears is noted before `onHint` is called. */
export function listenTo(
  store: DeliveryStore,
  onHint: (lanes: readonly DestinationId[]) => void = () => undefined,
): Ear {
  const lists: (readonly DestinationId[])[] = [];
  const close = hintsOf(store).listen((lanes) => {
    lists.push([...lanes]);
    onHint(lanes);
  });
  return { all: () => lists, heard: (lanes) => lists.some((list) => isSame(list, lanes)), close };
}

/** Tells lanes again and again until they were heard. */
export async function tellUntil(
  scene: Scene,
  lanes: readonly DestinationId[],
  isHeard: () => boolean,
  what = "a hint",
): Promise<void> {
  for (let tells = 0; tells < MAX_TELLS; tells += 1) {
    await hintsOf(scene.store()).tell(lanes);
    await scene.awaitHint();
    if (isHeard()) return;
  }
  throw new Error(`${what} was told ${String(MAX_TELLS)} times, and was not heard as it was told`);
}

/** Tells a lane that was never told before, until a witness has heard it: by then, others have what they will ever hear of earlier ones. */
export async function tellNewLane(scene: Scene, witness: Ear, name: string): Promise<void> {
  const lane = destinationId(scene.uniqueName(name));
  await tellUntil(scene, [lane], () => witness.heard([lane]));
}

export function hintsOf({ hints }: DeliveryStore): Hints {
  return expectPresent(hints, "the hints of a store that supports `hints`");
}

/** The same lanes; the order of a hint means nothing. */
export function isSame(list: readonly DestinationId[], lanes: readonly DestinationId[]): boolean {
  return JSON.stringify(list.toSorted()) === JSON.stringify(lanes.toSorted());
}

type Others = readonly [DeliveryStore, DeliveryStore];

/** Plays with further processes on the storage: one, which then is both of them, or two. */
export async function withOthers(scene: Scene, count: 1 | 2, play: (others: Others) => Promise<void>): Promise<void> {
  const first = await scene.openAnother();
  const second = count === 1 ? first : await scene.openAnother();
  try {
    await play([first, second]);
  } finally {
    await first.close();
    if (second !== first) await second.close();
  }
}

/** Tells the hints that are drawn in one turn, again and again, until each listener has heard all of one turn. */
export async function tellTurns(scene: Scene, ears: readonly Ear[], draw: () => readonly Lanes[]): Promise<void> {
  const turns: (readonly Lanes[])[] = [];
  const before = ears.map((ear) => ear.all().length);
  for (let tells = 0; tells < MAX_TELLS; tells += 1) {
    const hints = draw();
    turns.push(hints);
    await Promise.all(hints.map((lanes) => hintsOf(scene.store()).tell(lanes)));
    await scene.awaitHint();
    const heard = ears.map((ear, place) => ear.all().slice(before[place]));
    if (turns.some((turn) => heard.every((lists) => areHeard(turn, lists)))) return;
  }
  throw new Error(`hints were told in one turn, ${String(MAX_TELLS)} times, and never was all of one heard by each`);
}

type Lanes = readonly DestinationId[];

/** A list without lanes stands for any lane. */
function areHeard(hints: readonly Lanes[], heard: readonly Lanes[]): boolean {
  if (heard.some((lanes) => lanes.length === 0)) return true;
  const lanes = new Set(heard.flat());
  return hints.every((list) => list.length > 0 && list.every((lane) => lanes.has(lane)));
}
