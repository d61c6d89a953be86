// Writes the messageId of a call that brings none: a random UUID (RFC 9562, version 4).

/** `random` is 16 random bytes. */
export function writeMessageId(random: Uint8Array): string {
  const hex = Array.from(random, (byte, index) => (stamped(byte, index) + 0x100).toString(16).slice(1)).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/** Byte 6 carries the version, byte 8 the variant. */
function stamped(byte: number, index: number): number {
  if (index === 6) return (byte & 0x0f) | 0x40;
  return index === 8 ? (byte & 0x3f) | 0x80 : byte;
}
