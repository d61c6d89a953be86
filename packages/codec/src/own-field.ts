// Reads an own field of an object. Inherited fields were not written by the caller.

import type { JsonObject } from "@postrider/core";

/** The object's own field, or undefined. */
export function ownField(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
