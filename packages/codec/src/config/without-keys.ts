// Removes keys from a settings file, at any depth. All are removed in one walk, since there may be millions of them.

import type { JsonObject } from "@postrider/core";
import { isPlainObject, mapInSteps, type Steps } from "@postrider/core/engine";
import * as t from "io-ts";
import type { PathStep } from "./explain-errors.js";

/** The path of a key, from the value that is pruned. */
type KeyPath = readonly PathStep[];

/** The file without the keys at the ends of these paths. In steps of one entry of its lists. @internal */
export function* withoutKeys(file: unknown, ways: readonly KeyPath[]): Steps<unknown> {
  if (ways.length === 0 || !isPlainObject(file)) return file;
  const below = groupByStep(ways);
  const kept: [string, unknown][] = [];
  for (const [key, field] of keptFields(file, below)) {
    const under = below.get(key) ?? [];
    kept.push([key, t.UnknownArray.is(field) ? yield* pruneList(field, under) : prune(field, under)]);
  }
  return Object.fromEntries(kept);
}

function* pruneList(list: readonly unknown[], ways: readonly KeyPath[]): Steps<readonly unknown[]> {
  const below = groupByStep(ways);
  return yield* mapInSteps(list, (item, index) => prune(item, below.get(index) ?? []));
}

function prune(value: unknown, ways: readonly KeyPath[]): unknown {
  if (ways.length === 0) return value;
  const below = groupByStep(ways);
  const pruneAt = (inner: unknown, step: PathStep): unknown => prune(inner, below.get(step) ?? []);
  if (t.UnknownArray.is(value)) return value.map(pruneAt);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(keptFields(value, below).map(([key, field]) => [key, pruneAt(field, key)]));
}

type Below = ReadonlyMap<PathStep, readonly KeyPath[]>;

/** The fields at which no path ends. */
function keptFields(object: JsonObject, below: Below): readonly (readonly [string, unknown])[] {
  return Object.entries(object).filter(([key]) => below.get(key)?.some((way) => way.length === 0) !== true);
}

/** Groups paths by their first step; each group has the rest of its paths. */
function groupByStep(ways: readonly KeyPath[]): Below {
  const groups = new Map<PathStep, KeyPath[]>();
  for (const [step = "", ...rest] of ways) {
    const group = groups.get(step);
    if (group === undefined) groups.set(step, [rest]);
    else group.push(rest);
  }
  return groups;
}
