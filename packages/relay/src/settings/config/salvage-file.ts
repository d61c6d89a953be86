// Keeps the valid parts of a file whose shape is broken, without its unknown keys, so that broken rules in these parts
// are reported together with the problems of the shape. The result is only checked; it never comes into force.

import type { JsonObject } from "@postrider/core";
import { isPlainObject, mapInSteps, type Steps } from "@postrider/core/engine";
import * as t from "io-ts";
import { ownField } from "../lenient.js";
import { notifySetting } from "./endpoint-settings.js";
import type { DestinationEntry, NotifyEntry, SourceEntry, WorkspaceFile } from "./config-file.js";
import { deliverySetting, destinationSetting, retentionSetting, sourceSetting } from "./workspace-settings.js";
import type { PathStep } from "./explain-errors.js";

/** The valid parts of a raw file. */
interface SalvagedFile {
  readonly file: WorkspaceFile;
  /** True if the shape of every source is valid; if not, it is not known which source ids exist. */
  readonly knowsSources: boolean;
}

/** The file with a valid stand-in for each part whose shape is broken. In steps of one entry. */
export function* salvageFile(raw: unknown): Steps<SalvagedFile> {
  const file: JsonObject = isPlainObject(raw) ? raw : {};
  const sources = ownField(file, "sources") ?? [];
  const readSources = yield* mapInSteps(itemsOf(sources), (item) => (sourceSetting.codec.is(item) ? item : undefined));
  const destinations = yield* mapInSteps(itemsOf(ownField(file, "destinations")), (item, index) =>
    readOr(destinationSetting.codec, item, standInDestination(index)),
  );
  return {
    file: {
      sources: readSources.map((source, index) => source ?? standInSource(index)),
      destinations,
      delivery: readOr(deliverySetting.codec, ownField(file, "delivery"), {}),
      retention: readOr(retentionSetting.codec, ownField(file, "retention"), {}),
      notify: itemsOf(ownField(file, "notify")).map((item, index) =>
        readOr(notifySetting.codec, item, standInHook(index)),
      ),
    },
    knowsSources: Array.isArray(sources) && !readSources.includes(undefined),
  };
}

function itemsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function readOr<A>(codec: t.Type<A, unknown>, value: unknown, standIn: A): A {
  return codec.is(value) ? value : standIn;
}

/** A source with an id that differs from all others; no real file has such an id. */
function standInSource(index: number): SourceEntry {
  const id = `\u0000${String(index)}`;
  return { id, writeKey: id };
}

function standInHook(index: number): NotifyEntry {
  return { url: `https://stand-in-${String(index)}.invalid` };
}

function standInDestination(index: number): DestinationEntry {
  return { id: `\u0000${String(index)}`, sources: [], endpoints: [{ url: "https://stand-in.invalid" }] };
}

/** The path of a key, from the value that is pruned. */
type KeyPath = readonly PathStep[];

/** The file without the keys at the ends of these paths. In steps of one entry of its lists. @internal */
export function* withoutKeys(file: unknown, ways: readonly KeyPath[]): Steps<unknown> {
  if (ways.length === 0 || !isPlainObject(file)) return file;
  const below = groupByStep(ways);
  const fields: [string, unknown][] = [];
  for (const [key, field] of keptFields(file, below)) {
    const under = below.get(key) ?? [];
    fields.push([key, t.UnknownArray.is(field) ? yield* pruneList(field, under) : prune(field, under)]);
  }
  return Object.fromEntries(fields);
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
