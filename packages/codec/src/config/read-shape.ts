// Checks the shape of a file in steps: its lists, which may be long, entry by entry, and the rest at once. The result
// equals that of the codec for the whole file.

import { isPlainObject, mapInSteps, type Steps } from "@postrider/core/engine";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { ownField } from "../own-field.js";
import type { WorkspaceFile } from "./workspace-file.js";
import { destinationSetting, sourceSetting } from "./workspace-settings.js";

/** @internal */
export type ShapeResult<File> =
  { readonly kind: "ok"; readonly file: File } | { readonly kind: "refused"; readonly errors: t.Errors };

/** The file if its shape is valid, or every error in it. @internal */
export function* readShape<File extends WorkspaceFile>(
  codec: t.Type<File, unknown>,
  raw: unknown,
): Steps<ShapeResult<File>> {
  const sources = yield* readList(raw, "sources", sourceSetting.codec);
  const destinations = yield* readList(raw, "destinations", destinationSetting.codec);
  const lists = [sources, destinations].filter((list) => list !== undefined);
  const emptied = Object.fromEntries(lists.map(({ key }) => [key, []]));
  const rest = codec.decode(isPlainObject(raw) ? { ...raw, ...emptied } : raw);
  const errors = [...lists.flatMap((list) => list.errors), ...(isLeft(rest) ? rest.left : [])];
  if (isLeft(rest) || errors.length > 0) return { kind: "refused", errors };
  const read = {
    ...(sources === undefined ? {} : { sources: sources.entries }),
    ...(destinations === undefined ? {} : { destinations: destinations.entries }),
  };
  return { kind: "ok", file: { ...rest.right, ...read } };
}

interface ReadList<Entry> {
  readonly key: string;
  /** The entries of valid shape. */
  readonly entries: readonly Entry[];
  readonly errors: t.Errors;
}

/** Undefined if there is no list of that name. */
function* readList<Entry>(
  raw: unknown,
  key: string,
  entry: t.Type<Entry, unknown>,
): Steps<ReadList<Entry> | undefined> {
  const list = isPlainObject(raw) ? ownField(raw, key) : undefined;
  if (!t.UnknownArray.is(list)) return undefined;
  const context = [
    { key: "", type: t.unknown, actual: raw },
    { key, type: t.UnknownArray, actual: list },
  ];
  const reads = yield* mapInSteps(list, (item, index) =>
    entry.validate(item, t.appendContext(context, String(index), entry, item)),
  );
  return {
    key,
    entries: reads.flatMap((read) => (isRight(read) ? [read.right] : [])),
    errors: reads.flatMap((read) => (isLeft(read) ? read.left : [])),
  };
}
