// Texts that careless code takes for one another, for every id of every port, and the failure that names the two. The ports
// compare ids unit by unit; beside each line of the alphabet stands the mistake that it tempts code to make.

/** Pairs and groups that differ only in what is easily lost. Each text is there once, none is empty. */
const GROUPS: readonly (readonly string[])[] = [
  ["a", "A", "\u00e0", "\uff41", "\u0430"], // comparing without case, accents, width or script
  [" a", "a ", "a\u00a0", "\ta", "a\n", "a\r", " ", "  ", "\n", "\ufeffa", "\u200ba", "\u202ea"], // trimming, stripping
  ["\u00e9", "e\u0301", "\u212b", "\u00c5", "A\u030a", "\ufb01", "fi"], // normalising to NFC, NFD, NFKC
  ["stra\u00dfe", "strasse", "STRASSE", "\u0130", "i\u0307", "\u0131", "i", "I"], // folding case by a locale
  ["%", "_", "a%", "a_", "%a", "*", "?", "a*", "[a]", "\\%", "\\", "."], // matching by LIKE, GLOB or an expression
  ["__proto__", "constructor", "toString", "hasOwnProperty", "__PROTO__"], // keeping them in an object
  ["1", "01", "1.0", "1e0", "+1", " 1", "0x1", "1n", "0", "-0"], // storing numbers, or comparing them as numbers
  ["9007199254740992", "9007199254740993", "1e400", "Infinity", "NaN"], // the same as doubles
  ["null", "undefined", "NULL", "true", "false", "{}", "[]", '""'], // writing what is absent as text, parsing JSON
  ["\u0000", "\u0000a", "a\u0000", "a\u0000b"], // ending a text at its first NUL
  ["\ud800", "\ud801", "\udc00", "\ufffd", "\ufffd\ufffd\ufffd", "a\ud800", "a\ufffd"], // UTF-8, which has no lone surrogates
  ["\ufffe", "\uffff"], // replacing noncharacters
  ["\u{1f468}\u200d\u{1f469}", "\u{1f468}\u{1f469}", "\u{1f468}", "\u05d0", "\u05d0\u200f"], // dropping what has no width
  ["a'", 'a"', "a`", "a''", "'; --", "a/b", "a:b", "a,b", "a|b", "a\tb", "a%2Fb"], // quoting, joining keys, escaping
  ["$", "$$", "$&", "$1", "%%", "%s", ":name", ":NAME", "@p1"], // expanding them in a replacement, or as a place of a statement
  ["Aa", "BB", "Ab", "BA"], // comparing hashes of few bits
  ["${x}", "{{x}}", "#{x}", "{x}", "x"], // filling in templates
  ["&amp;", "&", "&lt;", "<", "+", "%2B"], // escaping for HTML or an address, or undoing it
  ["1e+21", "1e21", "1000000000000000000000", "0.1", ".1", "1_000", "1,000"], // writing numbers anew
  ["\u0001", "\u001b", "\u007f", "\u0080", "\u0085", "\u009f", "\u2028", "a\vb", "a\fb"], // removing controls, splitting at them
];

/** A text of a few hundred units, beyond which no store of ids should compare a prefix only. */
const LONG = 300;

/**
 * The alphabet, with texts of at most `maxLength` UTF-16 units that differ only in their last unit, and with one that only
 * lacks it.
 */
export function lookAlikes(maxLength: number = LONG): readonly string[] {
  const long = "x".repeat(maxLength - 1);
  return [...GROUPS.flat(), `${long}a`, `${long}b`, long];
}

/** The ids that were found by each of several look-ups, by the id that was looked up. */
export type FoundIds = ReadonlyMap<string, readonly string[]>;

/** Throws unless each id found itself, once, and nothing else. Names the first two that were taken for one. */
export function expectEachItself(foundIds: FoundIds, what: string): void {
  for (const [askedId, ids] of foundIds) {
    const otherId = ids.find((id) => id !== askedId);
    if (otherId !== undefined && foundIds.has(otherId)) failAsOne(otherId, askedId, what);
    if (otherId !== undefined) throw new Error(`${what}: ${showText(askedId)} came back as ${showText(otherId)}`);
    if (ids.length === 0) throw new Error(`${what}: nothing was foundIds under ${showText(askedId)}`);
    if (ids.length > 1) throw new Error(`${what}: ${showText(askedId)} was foundIds ${String(ids.length)} times`);
  }
}

/** Throws with the two ids that were taken for one. */
export function failAsOne(storedId: string, otherId: string, what: string): never {
  throw new Error(
    `${what}: two were taken for one\n  stored:    ${showText(storedId)}\n  asked for: ${showText(otherId)}`,
  );
}

/** As JSON in ASCII, since look-alikes look alike; of a long text its end, where it differs from others. */
export function showText(text: string): string {
  const json = JSON.stringify(text.length > SHOWN ? text.slice(-SHOWN) : text);
  const ascii = json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return text.length > SHOWN ? `${ascii} (the end of ${String(text.length)})` : ascii;
}

const SHOWN = 40;

/** For each binary digit of the places, the ids at places where it is 1: any two ids are apart in at least one list. */
export function halvesOf(ids: readonly string[]): readonly (readonly string[])[] {
  const digits = Math.ceil(Math.log2(ids.length));
  return Array.from({ length: digits }, (_, digit) => ids.filter((_id, place) => (place >> digit) % 2 === 1));
}
