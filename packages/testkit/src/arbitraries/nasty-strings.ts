// Texts that break careless code: half surrogates, NUL, line separators, markup, both forms of one letter. They are
// legal values and names, so code must keep them unchanged.

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

/** Any text: the known ones, all of Unicode, and single halves of surrogate pairs. */
export function nastyStrings(): Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...KNOWN), fc.string(), codePoints());
}

/** Any code points. The `binary` unit of fast-check is not used: it leaves out single halves, and is slow to build. */
function codePoints(): Arbitrary<string> {
  const nearHalves = fc.integer({ min: 0xd7f0, max: 0xe010 });
  const any = fc.integer({ min: 0, max: 0x10_ffff });
  return fc.array(fc.oneof(any, nearHalves), { maxLength: 12 }).map((points) => String.fromCodePoint(...points));
}
