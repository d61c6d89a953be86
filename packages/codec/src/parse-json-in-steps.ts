// Parses a JSON text in steps, as the parser of the platform cannot be interrupted and needs some 70 ms for the worst texts of
// 512 kB. It parses runs of members, each with the brackets of its container around it, and this file puts them together: what
// is JSON, and what a member is worth, only the parser says (decision: event-loop turns).

import type { Steps } from "@postrider/core/engine";
import { PARSE_STEP_LENGTH } from "./limits.js";
import {
  COMMA,
  isClosing,
  type JsonScan,
  OPEN_LIST,
  scanJson,
  type ScanStop,
  skipBlank,
  startScan,
} from "./scan-json.js";

export type ParsedJson =
  { readonly kind: "json"; readonly value: unknown } | { readonly kind: "bad-json" } | { readonly kind: "too-deep" };

export interface ParseTerms {
  /** Levels of a text that may be parsed. */
  readonly levels?: number;
  /** Characters that are parsed in a step. */
  readonly length?: number;
}

/**
 * The value that `JSON.parse` makes of a text, or that it makes none. A step ends at the first comma after
 * `length`, wherever it stands; a shorter text is parsed in one go. A text that nests deeper than `levels` is given up where
 * it does; if it is no JSON either, either may be said.
 */
export function* parseJsonInSteps(
  text: string,
  { levels = Infinity, length = PARSE_STEP_LENGTH }: ParseTerms = {},
): Steps<ParsedJson> {
  const scan = startScan();
  const opened: Opened[] = [];
  let commaFrom = length;
  for (;;) {
    const stop = scanJson(text, scan, { commaFrom, opened: opened.length, levels });
    const done = goOn(text, { scan, stop, opened });
    if (done !== undefined) return done;
    if (stop !== "comma") continue;
    commaFrom = scan.at + length;
    yield "long";
  }
}

interface Stopped {
  readonly scan: JsonScan;
  readonly stop: ScanStop;
  readonly opened: Opened[];
}

/** What has become of the text, or undefined where the scan goes on. */
function goOn(text: string, { scan, stop, opened }: Stopped): ParsedJson | undefined {
  switch (stop) {
    case "comma":
      return takeUpToComma(text, scan, opened) ? undefined : BAD_JSON;
    case "close":
      return close(text, scan, opened);
    case "end":
      return parsed(parse(text));
    case "unbalanced":
      return BAD_JSON;
    case "too-deep":
      return { kind: "too-deep" };
  }
}

const BAD_JSON: ParsedJson = { kind: "bad-json" };

type Container = unknown[] | Record<string, unknown>;

/** A container that is put together from parts. All around it are, too. */
interface Opened {
  readonly value: Container;
  /** From where on its text is not parsed yet; beyond its closing bracket where nothing of it is left. */
  from: number;
}

/** Undefined stands for no JSON: the parser never makes it. */
function parsed(value: unknown): ParsedJson {
  return value === undefined ? BAD_JSON : { kind: "json", value };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses all before the comma that the scan is at; false where that is no JSON. */
function takeUpToComma(text: string, scan: JsonScan, opened: Opened[]): boolean {
  while (opened.length < scan.depth) if (!open(text, scan, opened)) return false;
  const inner = opened.at(-1);
  if (inner === undefined || !takeRun(inner.value, text.slice(inner.from, scan.at))) return false;
  passComma(scan, inner);
  return true;
}

/** Puts the next container that the scan is in into the one around it, after the members before it. */
function open(text: string, { starts, members }: JsonScan, opened: Opened[]): boolean {
  const start = starts[opened.length + 1] as number;
  const outer = opened.at(-1);
  const inner: Opened = { value: text.charCodeAt(start) === OPEN_LIST ? [] : {}, from: start + 1 };
  const member = members[opened.length] as number;
  opened.push(inner);
  if (outer === undefined) return skipBlank(text, 0) === start;
  const isAfterOthers = member > outer.from;
  if (isAfterOthers && !takeRun(outer.value, text.slice(outer.from, member - 1))) return false;
  return putMember(outer.value, text.slice(member, start), inner.value);
}

/** What the parser makes of the text answers for its key: a container in its place is one there, too. */
function putMember(outer: Container, before: string, value: Container): boolean {
  const read = parse(Array.isArray(outer) ? `[${before}[]]` : `{${before}[]}`);
  if (read === undefined) return false;
  if (Array.isArray(outer)) outer.push(value);
  else for (const key of Object.keys(read as object)) put(outer, key, value);
  return true;
}

/** Adds whole members, at least one; false where they are no JSON. */
function takeRun(container: Container, run: string): boolean {
  return Array.isArray(container) ? takeItems(container, run) : takeFields(container, run);
}

function takeItems(list: unknown[], run: string): boolean {
  const items = (parse(`[${run}]`) ?? []) as readonly unknown[];
  for (const item of items) list.push(item);
  return items.length > 0;
}

function takeFields(object: Record<string, unknown>, run: string): boolean {
  const fields = (parse(`{${run}}`) ?? {}) as Readonly<Record<string, unknown>>;
  const keys = Object.keys(fields);
  for (const key of keys) put(object, key, fields[key]);
  return keys.length > 0;
}

/** As a property of its own, whatever objects inherit: `__proto__` is a key like any other. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (!(key in Object.prototype)) object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Ends the innermost container that is put together, and with the outermost one the text. */
function close(text: string, scan: JsonScan, opened: Opened[]): ParsedJson | undefined {
  const inner = opened.pop() as Opened;
  if (inner.from <= scan.at && !takeRun(inner.value, text.slice(inner.from, scan.at))) return BAD_JSON;
  const outer = opened.at(-1);
  scan.depth -= 1;
  scan.at = skipBlank(text, scan.at + 1);
  if (outer === undefined) return scan.at === text.length ? parsed(inner.value) : BAD_JSON;
  if (text.charCodeAt(scan.at) === COMMA) passComma(scan, outer);
  else if (isClosing(text, scan.at)) outer.from = scan.at + 1;
  else return BAD_JSON;
  return undefined;
}

/** The next member begins after the comma, and is not parsed yet. */
function passComma(scan: JsonScan, container: Opened): void {
  scan.at += 1;
  scan.members[scan.depth] = scan.at;
  container.from = scan.at;
}
