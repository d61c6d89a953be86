// Keeps the valid parts of a file whose shape is broken, so that broken rules in these parts are reported together with the
// problems of the shape. The result is only checked; it never comes into force.

import type { JsonObject } from "@postrider/core";
import { isPlainObject, mapInSteps, type Steps } from "@postrider/core/engine";
import type * as t from "io-ts";
import { ownField } from "../own-field.js";
import { notifySetting } from "./notify-settings.js";
import type { DestinationEntry, NotifyEntry, SourceEntry, WorkspaceFile } from "./workspace-file.js";
import { deliverySetting, destinationSetting, retentionSetting, sourceSetting } from "./workspace-settings.js";

/** The valid parts of a raw file. */
export interface SalvagedFile {
  readonly file: WorkspaceFile;
  /** Whether the shape of every source is valid; if not, it is not known which source ids exist. */
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
