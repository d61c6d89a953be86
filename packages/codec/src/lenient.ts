// The codecs of single values in a call ("leaves"), as client libraries write them (decision: leniency): ids that are
// numbers, empty texts that mean nothing, strict instants. The name of a codec says what it expects. Callers handle null and
// absent values.

import type { EpochMs, JsonObject } from "@postrider/core";
import { isAbsentIntegrations, isPlainObject, parseTimestamp } from "@postrider/core/engine";
import * as t from "io-ts";

/** A codec of one value; it returns undefined for a value that is treated as absent. @internal */
export type Leaf<A> = t.Type<A | undefined, unknown>;

/** A text; the empty text is valid. @internal */
export const text: Leaf<string> = leaf("a string", isText, (value) => value);

/** A text; the empty text is treated as absent. @internal */
export const textOrAbsent: Leaf<string> = leaf("a string", isText, filledOrAbsent);

/** An id: a text, or a safe integer, which becomes decimal digits. The empty text is treated as absent. @internal */
export const id: Leaf<string> = leaf("a string or a whole number", isId, (value) => filledOrAbsent(String(value)));

/** An instant, in a form that core's `parseTimestamp` reads. @internal */
export const instant: Leaf<EpochMs> = new t.Type(
  "an ISO 8601 date or date-time of the years 0001 to 9999",
  (value): value is EpochMs | undefined => value === undefined || t.number.is(value),
  (value, context) => {
    const at = isText(value) ? parseTimestamp(value) : undefined;
    return at === undefined ? t.failure(value, context) : t.success(at);
  },
  t.identity,
);

/** An instant that only serves to correct another one. If it cannot be read, it is treated as absent. @internal */
export const instantOrAbsent: Leaf<EpochMs> = new t.Type(
  instant.name,
  instant.is,
  (value) => t.success(isText(value) ? parseTimestamp(value) : undefined),
  t.identity,
);

/** A JSON object, passed on by reference. @internal */
export const object: Leaf<JsonObject> = leaf("an object", isPlainObject, (value) => value);

/**
 * Which destinations a call is for; the empty list is treated as absent, since PHP writes an empty map like that. @internal
 */
export const integrations: Leaf<JsonObject> = leaf("an object", isIntegrations, (value) =>
  isPlainObject(value) ? value : undefined,
);

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

function isIntegrations(value: unknown): value is JsonObject | readonly [] {
  return isPlainObject(value) || isAbsentIntegrations(value);
}

function filledOrAbsent(value: string): string | undefined {
  return value === "" ? undefined : value;
}
