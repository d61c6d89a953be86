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

/** The file with a valid placeholder for each part whose shape is broken. In steps of one entry. */
export function* salvageFile(raw: unknown): Steps<SalvagedFile> {
  const file: JsonObject = isPlainObject(raw) ? raw : {};
  const sources = ownField(file, "sources") ?? [];
  const readSources = yield* mapInSteps(itemsOf(sources), (item) => (sourceSetting.codec.is(item) ? item : undefined));
  const destinations = yield* mapInSteps(itemsOf(ownField(file, "destinations")), (item, index) =>
    readOr(destinationSetting.codec, item, placeholderDestination(index)),
  );
  return {
    file: {
      sources: readSources.map((source, index) => source ?? placeholderSource(index)),
      destinations,
      delivery: readOr(deliverySetting.codec, ownField(file, "delivery"), {}),
      retention: readOr(retentionSetting.codec, ownField(file, "retention"), {}),
      notify: itemsOf(ownField(file, "notify")).map((item, index) =>
        readOr(notifySetting.codec, item, placeholderHook(index)),
      ),
    },
    knowsSources: Array.isArray(sources) && !readSources.includes(undefined),
  };
}

function itemsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function readOr<A>(codec: t.Type<A, unknown>, value: unknown, placeholder: A): A {
  return codec.is(value) ? value : placeholder;
}

/** A source with an id that differs from all others; no real file has such an id. */
function placeholderSource(index: number): SourceEntry {
  const id = `\u0000${String(index)}`;
  return { id, writeKey: id };
}

function placeholderHook(index: number): NotifyEntry {
  return { url: `https://stand-in-${String(index)}.invalid` };
}

function placeholderDestination(index: number): DestinationEntry {
  return { id: `\u0000${String(index)}`, sources: [], endpoints: [{ url: "https://stand-in.invalid" }] };
}

/** The path of a key, from the value that is pruned. */
type KeyPath = readonly PathStep[];

/** The file without the keys at the ends of these paths. In steps of one entry of its lists. @internal */
export function* withoutKeys(file: unknown, paths: readonly KeyPath[]): Steps<unknown> {
  if (paths.length === 0 || !isPlainObject(file)) return file;
  const pathsByStep = groupByStep(paths);
  const fields: [string, unknown][] = [];
  for (const [key, field] of keptFields(file, pathsByStep)) {
    const innerPaths = pathsByStep.get(key) ?? [];
    fields.push([key, t.UnknownArray.is(field) ? yield* pruneList(field, innerPaths) : prune(field, innerPaths)]);
  }
  return Object.fromEntries(fields);
}

function* pruneList(list: readonly unknown[], paths: readonly KeyPath[]): Steps<readonly unknown[]> {
  const pathsByStep = groupByStep(paths);
  return yield* mapInSteps(list, (item, index) => prune(item, pathsByStep.get(index) ?? []));
}

function prune(value: unknown, paths: readonly KeyPath[]): unknown {
  if (paths.length === 0) return value;
  const pathsByStep = groupByStep(paths);
  const pruneAt = (inner: unknown, step: PathStep): unknown => prune(inner, pathsByStep.get(step) ?? []);
  if (t.UnknownArray.is(value)) return value.map(pruneAt);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(keptFields(value, pathsByStep).map(([key, field]) => [key, pruneAt(field, key)]));
}

type PathsByStep = ReadonlyMap<PathStep, readonly KeyPath[]>;

/** The fields at which no path ends. */
function keptFields(object: JsonObject, pathsByStep: PathsByStep): readonly (readonly [string, unknown])[] {
  return Object.entries(object).filter(([key]) => pathsByStep.get(key)?.some((path) => path.length === 0) !== true);
}

/** Groups paths by their first step; each group has the rest of its paths. */
function groupByStep(paths: readonly KeyPath[]): PathsByStep {
  const groups = new Map<PathStep, KeyPath[]>();
  for (const [step = "", ...rest] of paths) {
    const group = groups.get(step);
    if (group === undefined) groups.set(step, [rest]);
    else group.push(rest);
  }
  return groups;
}
