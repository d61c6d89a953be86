// Parses a JSON text in steps, since the parser of the platform cannot be interrupted and needs about 70 ms for the
// worst texts of 512 kB. Gives the parser runs of members, each with the brackets of its container around it, and joins
// the results. Only the parser decides what is JSON, and what a member's value is (decision: event-loop turns).

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

/** The value of a JSON text, or why there is none: it is no JSON, or it is nested too deeply. */
export type ParsedJson =
  | { readonly kind: "ok"; readonly value: unknown }
  | { readonly kind: "refused"; readonly reason: "bad-json" | "too-deep" };

/** The bounds of parsing in steps. */
export interface ParseLimits {
  /** The most levels of nesting that a text may have; no bound if absent. */
  readonly levels?: number;
  /** Characters that are parsed in one step; `PARSE_STEP_LENGTH` if absent. */
  readonly length?: number;
}

/**
 * Returns the value that `JSON.parse` would return, or why the text is refused. A step ends at the first comma after
 * `length` characters; a shorter text is parsed in one step. A text with more levels than `levels` is `too-deep`; if
 * such a text is not JSON either, it is `too-deep` or `bad-json`.
 */
export function* parseJsonInSteps(
  text: string,
  { levels = Infinity, length = PARSE_STEP_LENGTH }: ParseLimits = {},
): Steps<ParsedJson> {
  const scan = startScan();
  const opened: OpenContainer[] = [];
  let commaFrom = length;
  for (;;) {
    const stop = scanJson(text, scan, { commaFrom, opened: opened.length, levels });
    const result = handleStop(text, { scan, stop, opened });
    if (result !== undefined) return result;
    if (stop !== "comma") continue;
    commaFrom = scan.at + length;
    yield "long";
  }
}

interface Stopped {
  readonly scan: JsonScan;
  readonly stop: ScanStop;
  readonly opened: OpenContainer[];
}

/** The result for the whole text; undefined if the scan continues. */
function handleStop(text: string, { scan, stop, opened }: Stopped): ParsedJson | undefined {
  switch (stop) {
    case "comma":
      return takeUpToComma(text, scan, opened) ? undefined : BAD_JSON;
    case "close":
      return close(text, scan, opened);
    case "end":
      return resultOf(parse(text));
    case "unbalanced":
      return BAD_JSON;
    case "too-deep":
      return { kind: "refused", reason: "too-deep" };
  }
}

const BAD_JSON: ParsedJson = { kind: "refused", reason: "bad-json" };

type Container = unknown[] | Record<string, unknown>;

/** A container whose value is joined from parts; the values of all containers around it are joined from parts, too. */
interface OpenContainer {
  readonly value: Container;
  /** The place of its first character that is not parsed yet; beyond its closing bracket if nothing is left. */
  from: number;
}

/** `value` is undefined if the text is not JSON: the parser never returns undefined. */
function resultOf(value: unknown): ParsedJson {
  return value === undefined ? BAD_JSON : { kind: "ok", value };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses the text before the comma that the scan is at; false if it is no JSON. */
function takeUpToComma(text: string, scan: JsonScan, opened: OpenContainer[]): boolean {
  while (opened.length < scan.depth) if (!open(text, scan, opened)) return false;
  const inner = opened.at(-1);
  if (inner === undefined || !takeRun(inner.value, text.slice(inner.from, scan.at))) return false;
  passComma(scan, inner);
  return true;
}

/** Adds the next open container to the container around it, after the members that come before it. */
function open(text: string, { starts, members }: JsonScan, opened: OpenContainer[]): boolean {
  const start = starts[opened.length + 1] as number;
  const outer = opened.at(-1);
  const inner: OpenContainer = { value: text.charCodeAt(start) === OPEN_LIST ? [] : {}, from: start + 1 };
  const member = members[opened.length] as number;
  opened.push(inner);
  if (outer === undefined) return skipBlank(text, 0) === start;
  const isAfterOthers = member > outer.from;
  if (isAfterOthers && !takeRun(outer.value, text.slice(outer.from, member - 1))) return false;
  return putMember(outer.value, text.slice(member, start), inner.value);
}

/** Adds a member with this value. The parser checks `prefix`, the text before it: it parses that with an empty list as the value. */
function putMember(outer: Container, prefix: string, value: Container): boolean {
  const member = parse(Array.isArray(outer) ? `[${prefix}[]]` : `{${prefix}[]}`);
  if (member === undefined) return false;
  if (Array.isArray(outer)) outer.push(value);
  else for (const key of Object.keys(member as object)) put(outer, key, value);
  return true;
}

/** Parses a run of whole members and adds them; false if it has no member or is not JSON. */
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

/** Sets an own property, even for a name that objects inherit: `__proto__` is a key like any other. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (!(key in Object.prototype)) object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Closes the innermost open container. Returns the result for the text once the outermost container is closed. */
function close(text: string, scan: JsonScan, opened: OpenContainer[]): ParsedJson | undefined {
  const inner = opened.pop() as OpenContainer;
  if (inner.from <= scan.at && !takeRun(inner.value, text.slice(inner.from, scan.at))) return BAD_JSON;
  const outer = opened.at(-1);
  scan.depth -= 1;
  scan.at = skipBlank(text, scan.at + 1);
  if (outer === undefined) return scan.at === text.length ? resultOf(inner.value) : BAD_JSON;
  if (text.charCodeAt(scan.at) === COMMA) passComma(scan, outer);
  else if (isClosing(text, scan.at)) outer.from = scan.at + 1;
  else return BAD_JSON;
  return undefined;
}

/** Moves the scan past the comma: the next member begins there, and is not parsed yet. */
function passComma(scan: JsonScan, container: OpenContainer): void {
  scan.at += 1;
  scan.members[scan.depth] = scan.at;
  container.from = scan.at;
}
