// Reads a field that stands in the object itself. What an object inherits was never written by its caller.

import type { JsonObject } from "@postrider/core";

/** The object's own field, or undefined. */
export function ownField(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
