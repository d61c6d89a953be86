// Texts and JSON values that break careless code, such as half surrogates, NUL and keys that reach for a prototype.
// They are legal, so code must keep them; each except -0 survives `JSON.stringify` and `JSON.parse`.

import fc, { type Arbitrary } from "fast-check";
import type { JsonObject } from "@postrider/core";

const NASTY_TEXTS = [
  "",
  " ",
  "\u0000",
  "\uffff",
  "\u2028\u2029",
  "\ufeffbyte order mark",
  "\ud800",
  "\udfff",
  "\udc00\ud800",
  "\u00e9",
  "e\u0301",
  "\u202eright to left",
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "</script><!--",
  "%n%s%x",
  "line\r\nX-Injected: yes",
  "'; DROP TABLE deliveries; --",
  '"quoted" \\ back',
];

/** Any text: those above, all of Unicode, and single halves of surrogate pairs. */
export function nastyStrings(): Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...NASTY_TEXTS), fc.string(), codePoints());
}

/** Any code points. The `binary` unit of fast-check is not used: it leaves out single halves, and is slow to build. */
function codePoints(): Arbitrary<string> {
  const nearHalf = fc.integer({ min: 0xd7f0, max: 0xe010 });
  const anyPoint = fc.integer({ min: 0, max: 0x10_ffff });
  return fc.array(fc.oneof(anyPoint, nearHalf), { maxLength: 12 }).map((points) => String.fromCodePoint(...points));
}

const NASTY_KEYS = [
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

const NASTY_NUMBERS = [0, -0, 1e21, 1e-7, 5e-324, 2 ** 53 + 2, 1.7976931348623157e308, 0.1 + 0.2, -1];

/** Any key of an object, with those that reach for a prototype or look like an index. */
export function nastyKeys(): Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...NASTY_KEYS), nastyStrings());
}

/** Finite numbers, since JSON has no others. */
export function nastyNumbers(): Arbitrary<number> {
  return fc.oneof(fc.constantFrom(...NASTY_NUMBERS), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
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
