// What counts as a JSON object: neither null nor an array, no instance of a class, and nothing that writes itself as
// something else (decision: values of a host).

import type { JsonObject } from "./call.js";

/**
 * True for what `JSON.parse` or an object literal makes, and for objects without a prototype. False where `toJSON` is a
 * function: such an object is not what JSON makes of it.
 */
export function isPlainObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === null || prototype === Object.prototype) && !writesItself(value);
}

/** Whether JSON asks the object itself what to write, as it does with a date. */
export function writesItself(value: object): value is { toJSON(key?: string): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}
