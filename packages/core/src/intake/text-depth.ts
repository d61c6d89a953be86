// Decides whether a JSON text nests deeper than so many levels, from its bytes alone: a parser makes a container of each
// bracket before anybody can say that there are too many, in each other they cost it the most, and who sends them needs
// no more than a few hundred bytes of gzip (decision: what a request may cost). One pass, nothing is kept but the depth.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Whether some container of a JSON text in UTF-8 lies deeper; the outermost is level 1. Of what is no JSON it may say either. */
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

/** Where the text ends that begins at `start`. No byte of a longer character looks like a quote or a backslash. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
