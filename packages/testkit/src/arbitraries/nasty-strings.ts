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

/** Any text at all: known troublemakers, whole Unicode, and UTF-16 units that do not pair up. */
export function nastyStrings(): Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...KNOWN), fc.string(), fc.string({ unit: "binary", maxLength: 20 }), utf16Units());
}

function utf16Units(): Arbitrary<string> {
  const unit = fc.oneof(fc.integer({ min: 0xd7f0, max: 0xe010 }), fc.integer({ min: 0, max: 0xffff }));
  return fc.array(unit, { maxLength: 12 }).map((units) => String.fromCharCode(...units));
}
