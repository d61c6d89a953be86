// Reads a value that a host hands in, as JSON.stringify would (decision: calls of a host). The value may be of another realm, such
// as that of a test runner, where `Date` is another class: its kind is read from its tag, never from its prototype.

import { hasToJson } from "./is-plain-object.js";

/**
 * True for a plain object or an instance of a class, of any realm: JSON writes its fields. False for a list, and for a date, a map or
 * another kind that engines tag with its name, whose fields say nothing. Throws if a proxy throws.
 */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return tagOf(value) === "[object Object]";
}

/**
 * The value that JSON writes where `value` stands under this key or index: the result of its `toJSON`, or the primitive in a boxed object;
 * otherwise the value itself. Throws the error of a `toJSON`.
 */
export function asWritten(value: unknown, key: string | number): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return value;
  const result: unknown = hasToJson(value) ? value.toJSON(String(key)) : value;
  return isBoxed(result) ? result.valueOf() : result;
}

/** Most objects are plain, and are not boxed; to read their tag would take longer. */
function isBoxed(value: unknown): value is object {
  return typeof value === "object" && value?.constructor !== Object && BOXED.test(tagOf(value));
}

/** The tags of String, Number, Boolean and BigInt, shortened since pages load them. `valueOf` leaves other objects as they are. */
const BOXED = /String|Number|Bo|BigI/;

/** Such as `[object Date]`. */
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}
