// Moves each schema with a title into the components of a document, and leaves a reference in its place. Two schemas with one
// title have to be equal.

import { isPlainObject } from "@postrider/core/engine";
import type { JsonSchema } from "./json-schema.js";

/** A value without titled schemas, and these by their titles, in the order of the alphabet. */
export interface CollectedComponents<T> {
  readonly value: T;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Replaces each schema with a title by a reference. */
export function collectComponents<T extends object>(value: T): CollectedComponents<T> {
  const found = new Map<string, JsonSchema>();
  const replaced = replaceIn(value, found) as T;
  return { value: replaced, schemas: Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1))) };
}

function replaceIn(value: unknown, found: Map<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceIn(one, found));
  if (!isPlainObject(value)) return value;
  const { title, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaceIn(inner, found)] as const),
  );
  // A property may be called `title`; its value is then a schema, and not a text.
  if (typeof title !== "string") return title === undefined ? rest : { title, ...rest };
  found.set(title, rest);
  return { $ref: `#/components/schemas/${title}` };
}
