// Finds where a text stops being JSON, since the parser's messages quote the text, and a config holds secrets; and
// where a value is nested too deeply. Reports the place and nothing of the text. Does not recurse, so that deep nesting
// is no problem.

import { runSteps, type Steps, isPlainObject, pathOf, type Place, ROOT_PLACE } from "@postrider/core/engine";

/** JSON tokens that are read in one step. A string is one token, however long it is. */
const TOKENS_PER_STEP = 64;

/** Each container down to this level is a step; the entries of the lists of settings are at this level. */
const STEP_LEVEL = 3;

/** Lines and columns count from 1; a column is a UTF-16 unit. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/**
 * The place of the first character that valid JSON cannot have there, or of the end, if something is missing; undefined
 * for valid JSON.
 */
export function findJsonFault(text: string): TextPosition | undefined {
  return runSteps(findJsonFaultInSteps(text));
}

/** Like `findJsonFault`, in steps of 64 tokens. */
export function* findJsonFaultInSteps(text: string): Steps<TextPosition | undefined> {
  const at = yield* faultOffset(text);
  if (at === undefined) return undefined;
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** The tokens that may come next. */
type Expected = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end";

function* faultOffset(text: string): Steps<number | undefined> {
  /** The closing brackets of the open containers. */
  const ends: ("]" | "}")[] = [];
  let expected: Expected | "end" = "value";
  let tokens = 0;
  let at = skipSpaces(text, 0);
  for (; at < text.length && expected !== "end"; at = skipSpaces(text, at)) {
    const token = readNext(text, at, expected);
    if (token === undefined) return at;
    if (token.kind === "fault") return token.at;
    if (!noteBracket(ends, token, text[at])) return at;
    expected = expectedAfter(token, ends);
    at = token.kind === "scalar" ? token.at : at + 1;
    tokens += 1;
    if (tokens % TOKENS_PER_STEP === 0) yield;
  }
  return expected === "end" && at === text.length ? undefined : at;
}

/** Notes a bracket that was read. False if it closes another kind of container than the innermost open one. */
function noteBracket(ends: ("]" | "}")[], token: Token, character: string | undefined): boolean {
  if (token.kind === "opened") ends.push(token.end);
  return token.kind !== "closed" || ends.pop() === character;
}

function expectedAfter(token: Exclude<Token, { kind: "fault" }>, ends: readonly ("]" | "}")[]): Expected | "end" {
  if (token.kind === "comma") return ends.at(-1) === "}" ? "key" : "value";
  return token.expected === "comma-or-end" && ends.length === 0 ? "end" : token.expected;
}

type Token =
  /** `at`: the place after it. */
  | { readonly kind: "scalar"; readonly at: number; readonly expected: Expected }
  | { readonly kind: "opened"; readonly end: "]" | "}"; readonly expected: Expected }
  | { readonly kind: "closed" | "colon"; readonly expected: Expected }
  | { readonly kind: "comma" }
  | { readonly kind: "fault"; readonly at: number };

const CLOSED: Token = { kind: "closed", expected: "comma-or-end" };

/** The token at a place, decided by its first character; undefined if such a token may not come there. */
function readNext(text: string, at: number, expected: Expected): Token | undefined {
  const first = text[at];
  switch (expected) {
    case "colon":
      return first === ":" ? { kind: "colon", expected: "value" } : undefined;
    case "comma-or-end":
      if (first === ",") return { kind: "comma" };
      return first === "]" || first === "}" ? CLOSED : undefined;
    case "key":
    case "key-or-end":
      if (first === "}" && expected === "key-or-end") return CLOSED;
      return first === '"' ? readText(text, at, "colon") : undefined;
    case "value":
    case "value-or-end":
      if (first === "]" && expected === "value-or-end") return CLOSED;
      return readValue(text, at);
  }
}

function readValue(text: string, at: number): Token | undefined {
  if (text[at] === '"') return readText(text, at, "comma-or-end");
  if (text[at] === "[") return { kind: "opened", end: "]", expected: "value-or-end" };
  if (text[at] === "{") return { kind: "opened", end: "}", expected: "key-or-end" };
  WORD.lastIndex = at;
  return WORD.test(text) ? { kind: "scalar", at: WORD.lastIndex, expected: "comma-or-end" } : undefined;
}

const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const SPACES = /[ \t\n\r]*/y;

// eslint-disable-next-line no-control-regex
const PLAIN = /[^"\\\u0000-\u001f]*/y;

const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** A string, from its opening quote. */
function readText(text: string, from: number, expected: Expected): Token {
  let at = from + 1;
  for (;;) {
    at = endOf(PLAIN, text, at) ?? at;
    if (text[at] === '"') return { kind: "scalar", at: at + 1, expected };
    const escapeEnd = endOf(ESCAPE, text, at);
    if (escapeEnd === undefined) return { kind: "fault", at };
    at = escapeEnd;
  }
}

function skipSpaces(text: string, at: number): number {
  return endOf(SPACES, text, at) ?? at;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

interface Container extends Place {
  readonly container: object;
  readonly level: number;
}

/**
 * The path of a list or an object that is nested deeper than `levels`; undefined if there is none. The whole value is
 * level 1.
 */
export function findTooDeep(value: unknown, levels: number): string | undefined {
  return runSteps(findTooDeepInSteps(value, levels));
}

/** Like `findTooDeep`, in steps of one entry of the lists of settings. @internal */
export function* findTooDeepInSteps(value: unknown, levels: number): Steps<string | undefined> {
  const open: Container[] = isContainer(value) ? [{ ...ROOT_PLACE, container: value, level: 1 }] : [];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (place.level > levels) return pathOf(place);
    openWithin(place, open);
    if (place.level <= STEP_LEVEL) yield;
  }
  return undefined;
}

function openWithin(parent: Container, open: Container[]): void {
  const { container, level } = parent;
  const steps = Array.isArray(container) ? container.keys() : Object.keys(container);
  for (const step of steps) {
    const inner: unknown = Reflect.get(container, step);
    if (isContainer(inner)) open.push({ container: inner, parent, step, level: level + 1 });
  }
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isPlainObject(value);
}
