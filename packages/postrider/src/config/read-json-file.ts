// Reads a JSON file, or reports where it is not JSON, with a guess from the characters there what its author meant. Neither the text
// nor the message of the parser is shown, since the text may contain secrets.

import { findJsonFaultInSteps, parseJsonInSteps, type TextPosition } from "@postrider/relay/settings";
import { runSteps, type Steps } from "@postrider/core/engine";
import type { ConfigProblem } from "./config-problem.js";
import { MAX_CONFIG_BYTES } from "./limits.js";
import { readTextFile } from "./read-text-file.js";

/** The characters before and after the fault that are looked at. */
const HINT_LENGTH = 256;

const ANY = /^/;

const HINTS: readonly Hint[] = [
  { at: /^(?:\/[/*]|#)/, words: "where a comment begins, which JSON does not have" },
  { at: /^[}\]]/, preceding: /,$/, words: "after a comma that no further entry follows" },
  { at: /^,/, words: "where a value is missing" },
  { at: /^=/, words: "where JSON has a colon" },
  { at: /^[}\]]/, words: "where a value is missing, or something is closed that was not opened" },
  { at: /^[\n\r]/, words: "where a text has a line break; write \\n, or close the text" },
  { at: /^\\/, words: "where a text has a backslash; write \\\\" },
  { at: /^['`\u2018-\u201f\u00ab\u00bb]/, words: 'where a quote begins that is not "; JSON has no other quotes' },
  { at: /^[\w$-]+\s*:/, preceding: /[{,]$/, words: "where a key begins without double quotes" },
  { at: /^["[{\w-]/, preceding: /["\]}\w]$/, words: "before which a comma or a colon is missing" },
  { at: ANY, preceding: /^$/, words: "where the file has to begin with {" },
  { at: /^[\w$+.-]/, words: "where a text without double quotes begins, or a word other than true, false and null" },
];

type ReadJsonFileResult =
  | { readonly kind: "ok"; readonly value: unknown }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[] };

/** Reads the JSON value of a file. A byte order mark at the beginning is ignored. */
export function readJsonFile(file: string): ReadJsonFileResult {
  return runSteps(readJsonFileInSteps(file));
}

/** Like `readJsonFile`, in steps: reading, parsing, and, if parsing fails, the search for the place. */
export function* readJsonFileInSteps(file: string): Steps<ReadJsonFileResult> {
  const outcome = readTextFile(file, MAX_CONFIG_BYTES);
  if (outcome.kind === "refused") return refusal("unreadable", outcome.expected);
  const text = outcome.text.replace(/^\uFEFF/, "");
  yield "long";
  const parsed = yield* parseJsonInSteps(text);
  yield "long";
  if (parsed.kind === "ok") return { kind: "ok", value: parsed.value };
  return refusal("bad-json", `JSON${describeFault(text, yield* findJsonFaultInSteps(text))}`);
}

function describeFault(text: string, place: TextPosition | undefined): string {
  if (place === undefined) return "";
  const { line, column } = place;
  const hint = jsonFaultHint(text, offsetOf(text, place));
  return `; the first error is at line ${String(line)}, column ${String(column)}${hint}`;
}

function offsetOf(text: string, { line, column }: TextPosition): number {
  let start = 0;
  for (let lineNumber = 1; lineNumber < line; lineNumber += 1) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
}

function refusal(code: ConfigProblem["code"], expected: string): ReadJsonFileResult {
  return { kind: "refused", problems: [{ code, path: "", expected }] };
}

/** A guess at the mistake at `offset`, in words that follow a position; empty if there is no guess. */
function jsonFaultHint(text: string, offset: number): string {
  if (text.trim() === "") return "; the file is empty";
  if (offset >= text.length) return ", where the text ends: a closing bracket, brace or quote is missing";
  const textAfter = text.slice(offset, offset + HINT_LENGTH);
  const textBefore = text.slice(Math.max(0, offset - HINT_LENGTH), offset).trimEnd();
  const hint = HINTS.find(({ at, preceding = ANY }) => at.test(textAfter) && preceding.test(textBefore));
  return hint === undefined ? "" : `, ${hint.words}`;
}

interface Hint {
  /** Matches what begins at the fault. */
  readonly at: RegExp;
  /** Matches what ends before it, without spaces. */
  readonly preceding?: RegExp;
  readonly words: string;
}
