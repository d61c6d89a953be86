// Guesses from the characters at a fault what the author of a JSON text meant. A hint quotes nothing, since the text may contain
// secrets.

/** What is probably wrong at `offset`, in words that follow a position; empty if there is no guess. */
export function jsonFaultHint(text: string, offset: number): string {
  if (text.trim() === "") return "; the file is empty";
  if (offset >= text.length) return ", where the text ends: a closing bracket, brace or quote is missing";
  const after = text.slice(offset, offset + HINT_LENGTH);
  const before = text.slice(Math.max(0, offset - HINT_LENGTH), offset).trimEnd();
  const hint = HINTS.find(({ at, past = ANY }) => at.test(after) && past.test(before));
  return hint === undefined ? "" : `, ${hint.words}`;
}

/** The characters before and after the fault that are looked at. */
const HINT_LENGTH = 256;
const ANY = /^/;

interface Hint {
  /** Matches what begins at the fault. */
  readonly at: RegExp;
  /** Matches what ends before it, without spaces. */
  readonly past?: RegExp;
  readonly words: string;
}

const HINTS: readonly Hint[] = [
  { at: /^(?:\/[/*]|#)/, words: "where a comment begins, which JSON does not have" },
  { at: /^[}\]]/, past: /,$/, words: "after a comma that no further entry follows" },
  { at: /^,/, words: "where a value is missing" },
  { at: /^=/, words: "where JSON has a colon" },
  { at: /^[}\]]/, words: "where a value is missing, or something is closed that was not opened" },
  { at: /^[\n\r]/, words: "where a text has a line break; write \\n, or close the text" },
  { at: /^\\/, words: "where a text has a backslash; write \\\\" },
  { at: /^['`\u2018-\u201f\u00ab\u00bb]/, words: 'where a quote begins that is not "; JSON has no other quotes' },
  { at: /^[\w$-]+\s*:/, past: /[{,]$/, words: "where a key begins without double quotes" },
  { at: /^["[{\w-]/, past: /["\]}\w]$/, words: "before which a comma or a colon is missing" },
  { at: ANY, past: /^$/, words: "where the file has to begin with {" },
  { at: /^[\w$+.-]/, words: "where a text without double quotes begins, or a word other than true, false and null" },
];
