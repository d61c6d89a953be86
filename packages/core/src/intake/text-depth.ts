// Decides from its bytes whether a JSON text is nested too deep to be parsed: a parser creates an object for each bracket
// before the depth can be checked, and a few hundred bytes of gzip are enough for thousands of brackets (decision: request
// cost). Reads the bytes once and keeps only the depth.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** True if a JSON text in UTF-8 has more than `levels` levels; the outermost is level 1. For any other text the answer means nothing. */
export function isNestedDeeper(json: Uint8Array, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length && depth <= levels; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
  }
  return depth > levels;
}

/** The end of the string that begins at `start`. No byte of a multi-byte character equals a quote or a backslash. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
