// Finds an order in which the model gives the answers that commands got which were sent together, and then shows what the
// stores show. A command that got no answer may have taken effect, or not. A command that only reads may have seen any of the others,
// each whole or not at all (decision: overlapping reads).

import { expectAgreement } from "./compare.js";
import type { FollowUp } from "./command.js";
import type { Model } from "./model.js";
import type { Snapshot } from "./snapshot.js";

/** What came of one of the commands. */
export interface Part {
  readonly name: string;
  readonly followUp: FollowUp;
  /** Whether it must have taken effect; if not, it may have. */
  readonly isSure: boolean;
  /** Whether it changes nothing. */
  readonly isRead: boolean;
}

export interface Scene {
  readonly views: readonly [Snapshot, ...Snapshot[]];
  readonly isAlone: boolean;
}

/** One way in which commands may have taken effect, and the model after it. */
export interface ExplainingOrder {
  readonly order: readonly Part[];
  readonly model: Model;
}

/** Every order that explains the answers and the state. Throws with the first difference of the first order if none does. */
export function findOrders(model: Model, parts: readonly Part[], scene: Scene): readonly ExplainingOrder[] {
  const explained: ExplainingOrder[] = [];
  const reasons: string[] = [];
  const reads = parts.filter(({ isRead }) => isRead);
  for (const order of ordersOf(parts.filter(({ isRead }) => !isRead))) {
    const copy = structuredClone(model);
    const difference = differenceIn(copy, order, scene) ?? unexplainedRead(model, { reads, order, scene });
    if (difference === undefined) explained.push({ order, model: copy });
    else reasons.push(`as ${order.map(({ name }) => name).join(", then ")}: ${difference}`);
  }
  if (explained.length > 0) return explained;
  throw new Error(`no order of the commands explains the answers and the state\n${reasons[0] ?? ""}`);
}

function differenceIn(model: Model, order: readonly Part[], scene: Scene): string | undefined {
  return messageOf(() => {
    followAll(model, order, scene);
    for (const view of scene.views) expectAgreement(model, view);
  });
}

interface Reading {
  readonly reads: readonly Part[];
  /** The changes, as they took effect. */
  readonly order: readonly Part[];
  readonly scene: Scene;
}

/** The difference of the first read that no changes explain which took effect before it: none of them, some or all. */
function unexplainedRead(model: Model, { reads, order, scene }: Reading): string | undefined {
  for (const read of reads) {
    const differences = sequencesOf(order).map((seen) =>
      messageOf(() => {
        followAll(structuredClone(model), [...seen, read], scene);
      }),
    );
    if (!differences.includes(undefined)) return `${read.name}: ${differences[0] ?? ""}`;
  }
  return undefined;
}

function followAll(model: Model, order: readonly Part[], { views, isAlone }: Scene): void {
  const since = model.deliveries.length;
  for (const { followUp } of order) followUp(model, { seen: views[0], isAlone, since });
}

function messageOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** All orders of all subsets, the whole in its order first. */
function sequencesOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const subsets = items.reduce<readonly (readonly T[])[]>(
    (all, item) => [...all, ...all.map((one) => [...one, item])],
    [[]],
  );
  return subsets.toReversed().flatMap(permutations);
}

/** All orders of the parts, those without a part that is not sure after those with it. */
function ordersOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const unsure = parts.find(({ isSure }) => !isSure);
  if (unsure === undefined) return permutations(parts);
  const withIt = parts.map((part) => (part === unsure ? { ...part, isSure: true } : part));
  return [...ordersOf(withIt), ...ordersOf(parts.filter((part) => part !== unsure))];
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, place) => permutations(items.toSpliced(place, 1)).map((rest) => [first, ...rest]));
}
