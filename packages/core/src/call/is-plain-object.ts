// Decides whether a value counts as a JSON object: not null, not an array, not an instance of a class, and without a
// `toJSON` method (decision: calls as objects). It may be of another realm. Does not check the fields.

import type { JsonObject } from "./call.js";

/**
 * True for objects from `JSON.parse` or an object literal, and for objects without a prototype. False if the object has a
 * `toJSON` method, since JSON writes the result of that method instead of the object's fields.
 */
export function isPlainObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
  return isPlain && !hasToJson(value);
}

/** True if the object has a `toJSON` method, as a date has, so that JSON writes the result of that method. */
export function hasToJson(value: object): value is { toJSON(key?: string): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}
