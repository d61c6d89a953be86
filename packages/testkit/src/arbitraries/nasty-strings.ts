// Texts that break careless code: half surrogates, NUL, line separators, markup, both forms of one letter. As values,
// ids and names they are all legal, so whatever takes a text must carry them unchanged.

import fc, { type Arbitrary } from "fast-check";

const KNOWN = [
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

/** Any text at all: known troublemakers, whole Unicode, and halves of pairs that do not pair up. */
export function nastyStrings(): Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...KNOWN), fc.string(), codePoints());
}

/** Not by fast-check's `binary` unit, which leaves half pairs out and takes a second to build. */
function codePoints(): Arbitrary<string> {
  const nearHalves = fc.integer({ min: 0xd7f0, max: 0xe010 });
  const any = fc.integer({ min: 0, max: 0x10_ffff });
  return fc.array(fc.oneof(any, nearHalves), { maxLength: 12 }).map((points) => String.fromCodePoint(...points));
}
