// The codecs of single values in a call ("leaves"), as client libraries write them (decision: leniency): ids that are
// numbers, empty texts that mean nothing, dates in many forms. The name of a codec says what it expects. Callers handle null and
// absent values.

import type { EpochMs, JsonObject } from "@postrider/core";
import { isPlainObject, readInstant } from "@postrider/core/engine";
import * as t from "io-ts";

/** A codec of one value; it returns undefined for a value that is treated as absent. @internal */
export type Leaf<A> = t.Type<A | undefined, unknown>;

/** A text; the empty text is valid. @internal */
export const text: Leaf<string> = leaf("a string", isText, (value) => value);

/** A text; the empty text is treated as absent. @internal */
export const textOrAbsent: Leaf<string> = leaf("a string", isText, filledOrAbsent);

/** An id: a text, or a safe integer, which becomes decimal digits. The empty text is treated as absent. @internal */
export const id: Leaf<string> = leaf("a string or a whole number", isId, (value) => filledOrAbsent(String(value)));

/** An instant, in a form that core's `readInstant` reads; the empty text is treated as absent. @internal */
export const instant: Leaf<EpochMs> = new t.Type(
  "a date of ISO 8601 of the years 0001 to 9999, or epoch seconds or milliseconds",
  (value): value is EpochMs | undefined => value === undefined || t.number.is(value),
  (value, context) => {
    const at = readInstant(value);
    return at === undefined && value !== "" ? t.failure(value, context) : t.success(at);
  },
  t.identity,
);

/** A JSON object, passed on by reference. The empty list is an empty object, since PHP writes an empty map like that. @internal */
export const object: Leaf<JsonObject> = leaf("an object", isObject, (value) => (isPlainObject(value) ? value : {}));

/** A codec for values that `accepts` recognizes. `read` returns the value of the result, or undefined for absent. */
function leaf<Written, A>(expected: string, accepts: t.Is<Written>, read: (value: Written) => A | undefined): Leaf<A> {
  return new t.Type(
    expected,
    (value): value is A | undefined => value === undefined || accepts(value),
    (value, context) => (accepts(value) ? t.success(read(value)) : t.failure(value, context)),
    t.identity,
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isId(value: unknown): value is string | number {
  return isText(value) || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is JsonObject | readonly [] {
  return isPlainObject(value) || (Array.isArray(value) && value.length === 0);
}

function filledOrAbsent(value: string): string | undefined {
  return value === "" ? undefined : value;
}

/** The object's own field, or undefined. */
export function ownField(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
