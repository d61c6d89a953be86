// Writes the messageId of a call that has none: a random UUID (RFC 9562, version 4). The random bytes are an argument.

const ID_BYTES = 16;

/** The UUID for 16 random bytes, in lower case. */
export function writeMessageId(random: Uint8Array): string {
  let id = "";
  for (let index = 0; index < ID_BYTES; index += 1) id += String(WRITTEN[index * 256 + Number(random[index])]);
  return id;
}

/** The text of each byte at each place of an id. A table, since every call may need an id. */
const WRITTEN = Array.from({ length: ID_BYTES * 256 }, (_, at) => write(at & 0xff, at >> 8));

function write(byte: number, index: number): string {
  const dash = [4, 6, 8, 10].includes(index) ? "-" : "";
  return dash + withVersion(byte, index).toString(16).padStart(2, "0");
}

/** Byte 6 carries the version, byte 8 the variant. */
function withVersion(byte: number, index: number): number {
  if (index === 6) return (byte & 0x0f) | 0x40;
  return index === 8 ? (byte & 0x3f) | 0x80 : byte;
}
