// What counts as a JSON object: neither null nor an array, and no instance of a class.

import type { JsonObject } from "./call.js";

/** True for what `JSON.parse` or an object literal makes, and for objects without a prototype. */
export function isPlainObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
