// Reads a value that a host hands in as JSON.stringify would (decision: calls of a host). The value may be of another realm, such
// as that of a test runner, whose classes are others: nothing here compares a prototype.

import { hasToJson } from "./is-plain-object.js";

/**
 * True for a value that JSON writes as an object of its fields: a plain object, or an instance of a class, of any realm. False for values
 * that engines know by a name alone, whose fields would say nothing, such as a list, a date or a map. Throws if a proxy throws.
 */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return nameOf(value) === "[object Object]";
}

/**
 * The value that JSON writes in place of one under this key or index: the result of `toJSON`, or the primitive in a boxed object; otherwise
 * the value itself. Throws the error of a `toJSON`.
 */
export function asWritten(value: unknown, key: string | number): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return value;
  const result: unknown = hasToJson(value) ? value.toJSON(String(key)) : value;
  return isBoxed(result) ? result.valueOf() : result;
}

function isBoxed(value: unknown): value is object {
  return typeof value === "object" && value?.constructor !== Object && BOXED.test(nameOf(value));
}

const BOXED = /String|Number|Bo|BigI/;

function nameOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}
