// JSON values, mostly those that break code: keys that reach for a prototype, keys that look like indexes, numbers at
// the limits of a double. Each value except -0 survives `JSON.stringify` and `JSON.parse`; -0 becomes 0.

import type { JsonObject } from "@postrider/core";
import fc, { type Arbitrary } from "fast-check";
import { nastyStrings } from "./nasty-strings.js";

const KNOWN_KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "toJSON",
  "length",
  "then",
  "1",
  "01",
  "-1",
  "userId",
  "UserId",
  "type",
  "version",
  "messageId",
  "Previous ID",
  "X-Signature",
];

const KNOWN_NUMBERS = [0, -0, 1e21, 1e-7, 5e-324, 2 ** 53 + 2, 1.7976931348623157e308, 0.1 + 0.2, -1];

/** Keys of objects. */
export function nastyKeys(): Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...KNOWN_KEYS), nastyStrings());
}

/** Finite numbers, since JSON has no others. */
export function nastyNumbers(): Arbitrary<number> {
  return fc.oneof(fc.constantFrom(...KNOWN_NUMBERS), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
}

/** A JSON value of any kind, a few levels deep. */
export function jsonValues(): Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaves(), objects(tie("value")), fc.array(tie("value"), { maxLength: 3 })),
  })).value;
}

/** A JSON object: what traits, properties and context may be. */
export function jsonObjects(): Arbitrary<JsonObject> {
  return objects(jsonValues());
}

function leaves(): Arbitrary<unknown> {
  return fc.oneof(nastyStrings(), nastyNumbers(), fc.boolean(), fc.constant(null));
}

/** JSON objects. They are made from entries, so that `__proto__` is a key like any other. */
function objects(values: Arbitrary<unknown>): Arbitrary<JsonObject> {
  return fc.array(fc.tuple(nastyKeys(), values), { maxLength: 5 }).map((entries) => Object.fromEntries(entries));
}
