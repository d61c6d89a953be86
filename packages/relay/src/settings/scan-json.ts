// Scans the characters of a JSON text and records which containers are open, so that the text can be parsed in parts.
// Looks at quotes, commas and brackets only; the parser decides whether the rest is JSON (decision: event-loop turns).

/** The position of a scan. The text itself is level 0, the outermost container level 1. */
export interface JsonScan {
  at: number;
  depth: number;
  /** For each level, where its container begins, and where its current member begins. */
  readonly starts: number[];
  readonly members: number[];
}

/** The reason for the end of a scan, which is then `at` the comma or the bracket. */
export type ScanStop = "comma" | "close" | "end" | "too-deep" | "unbalanced";

export interface ScanOptions {
  /** The scan stops at the first comma at this place or later. */
  readonly commaFrom: number;
  /** The scan stops where one of this many outermost containers closes. */
  readonly opened: number;
  /** The scan stops where a container opens that is nested deeper than this level. */
  readonly levels: number;
}

export function startScan(): JsonScan {
  return { at: 0, depth: 0, starts: [0], members: [0] };
}

/** Continues the scan from `at`. This reading of each character is most of the extra cost of parsing in parts. */
export function scanJson(text: string, scan: JsonScan, options: ScanOptions): ScanStop {
  for (; scan.at < text.length; scan.at += 1) {
    const stop = scanCharacter(text, scan, options);
    if (stop !== undefined) return stop;
  }
  return scan.depth === 0 ? "end" : "unbalanced";
}

/** Handles the character at `at`, and skips the string that begins there. */
function scanCharacter(text: string, scan: JsonScan, options: ScanOptions): ScanStop | undefined {
  switch (text.charCodeAt(scan.at)) {
    case QUOTE:
      scan.at = endOfString(text, scan.at);
      return undefined;
    case COMMA:
      if (scan.at >= options.commaFrom) return "comma";
      scan.members[scan.depth] = scan.at + 1;
      return undefined;
    case OPEN_OBJECT:
    case OPEN_LIST:
      return enter(scan, options);
    case CLOSE_OBJECT:
    case CLOSE_LIST:
      return leave(text, scan, options);
  }
  return undefined;
}

function enter(scan: JsonScan, { levels }: ScanOptions): ScanStop | undefined {
  scan.depth += 1;
  scan.starts[scan.depth] = scan.at;
  scan.members[scan.depth] = scan.at + 1;
  return scan.depth > levels ? "too-deep" : undefined;
}

function leave(text: string, scan: JsonScan, { opened }: ScanOptions): ScanStop | undefined {
  const { at, depth, starts } = scan;
  // For both kinds, the code of the closing bracket is the code of the opening bracket plus 2.
  const isClosed = depth > 0 && text.charCodeAt(starts[depth] as number) === text.charCodeAt(at) - 2;
  if (!isClosed) return "unbalanced";
  if (depth <= opened) return "close";
  scan.depth -= 1;
  return undefined;
}

/** The place of the first character from `at` on that is no JSON whitespace. */
export function skipBlank(text: string, at: number): number {
  let place = at;
  while (BLANKS.has(text.charCodeAt(place))) place += 1;
  return place;
}

export function isClosing(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === CLOSE_OBJECT || code === CLOSE_LIST;
}

export const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The place of the quote that ends a string: the first quote after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at === -1 ? text.length : at;
}

function isEscaped(text: string, at: number): boolean {
  let place = at - 1;
  while (text.charCodeAt(place) === BACKSLASH) place -= 1;
  return (at - place) % 2 === 0;
}
