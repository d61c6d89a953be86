// The octets of an answer's head, and the sets to which they belong (RFC 9110, §5). Octets above 0x7e are in no set: an answer that has them in its head is
// not plain.

export const CR = 0x0d;
export const LF = 0x0a;
export const SPACE = 0x20;
export const COLON = 0x3a;
export const ZERO = 0x30;

/** Sets of octets, as bits of an entry in `SETS`. */
export const TOKEN = 1;
export const BLANK = 2;
/** Printable ASCII and blanks. */
export const TEXT = 4;
export const DIGIT = 8;

const SETS: Uint8Array = Uint8Array.from({ length: 256 }, (_, octet) => setsOf(octet));

/** True if an octet is in a set. False for undefined, past the end of the bytes. */
export function isIn(set: number, octet: number | undefined): boolean {
  return octet !== undefined && ((SETS[octet] ?? 0) & set) !== 0;
}

/** The end of the octets of a set that begin at `from`; `from` if there are none. */
export function endOfRun(set: number, bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && ((SETS[bytes[at] ?? 0] ?? 0) & set) !== 0) at += 1;
  return at;
}

function setsOf(octet: number): number {
  const text = String.fromCharCode(octet);
  const isBlank = text === " " || text === "\t";
  const isText = isBlank || (octet > SPACE && octet <= 0x7e);
  return (
    (/^[!#$%&'*+.^_`|~0-9A-Za-z-]$/.test(text) ? TOKEN : 0) |
    (isBlank ? BLANK : 0) |
    (isText ? TEXT : 0) |
    (/^[0-9]$/.test(text) ? DIGIT : 0)
  );
}
