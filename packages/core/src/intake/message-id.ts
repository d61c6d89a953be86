// Writes the messageId of a call that has none: a random UUID (RFC 9562, version 4). The random bytes are an argument.

const ID_BYTES = 16;
/** The indexes of the bytes that have the version and the variant in their upper bits. */
const VERSION_AT = 6;
const VARIANT_AT = 8;

/** The UUID for 16 random bytes, in lower case. */
export function writeMessageId(random: Uint8Array): string {
  let place = 0;
  for (let index = 0; index < ID_BYTES; index += 1) {
    let byte = Number(random[index]);
    if (index === VERSION_AT) byte = (byte & 0x0f) | 0x40;
    if (index === VARIANT_AT) byte = (byte & 0x3f) | 0x80;
    // A dash stands before the bytes 4, 6, 8 and 10.
    if (index > 3 && index < 11 && index % 2 === 0) place += 1;
    units[place++] = hexUnit(byte >> 4);
    units[place++] = hexUnit(byte & 0x0f);
  }
  return String.fromCharCode(...units);
}

/** The characters of an id. One list for all ids, since every call may need an id; its dashes stay. */
const units = new Array<number>(36).fill(0x2d);

function hexUnit(digit: number): number {
  return digit + (digit < 10 ? 0x30 : 0x57);
}
