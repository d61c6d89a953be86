// Writes the messageId of a call that brings none: a random UUID (RFC 9562, version 4).

/** `random` is 16 random bytes. */
export function writeMessageId(random: Uint8Array): string {
  return random.reduce((text, byte, index) => text + (DASHES.has(index) ? "-" : "") + hexOf(stamped(byte, index)), "");
}

/** The bytes before which a UUID has a dash. */
const DASHES: ReadonlySet<number> = new Set([4, 6, 8, 10]);

/** All bytes as they are written, one after the other: looked up, since each call is given an id. */
const HEX = Array.from({ length: 256 }, (_, byte) => (byte + 0x100).toString(16).slice(1)).join("");

function hexOf(byte: number): string {
  return HEX.slice(byte * 2, byte * 2 + 2);
}

/** Byte 6 carries the version, byte 8 the variant. */
function stamped(byte: number, index: number): number {
  if (index === 6) return (byte & 0x0f) | 0x40;
  return index === 8 ? (byte & 0x3f) | 0x80 : byte;
}
