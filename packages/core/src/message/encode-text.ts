// Turns text into UTF-8. Memory of its own for each text costs more than writing it, in the making and in the collecting:
// short ones are laid one behind the other into memory that is taken for many at once. No byte is written twice, so that
// what was handed out stays as it is; a block goes when all that lies in it has gone.

/** What is taken at once: as much as may be held for the sake of one short text. */
const BLOCK_BYTES = 32_768;
/** Bytes that one unit of a text takes at most. */
const UNIT_BYTES = 3;
/** What may come to more gets memory of its own, so that less than this is left unused at the end of a block. */
const MAX_SHORT_BYTES = 8_192;

const encoder = new TextEncoder();
let block = new Uint8Array(0);
let used = 0;

/** The bytes of a text. Half a surrogate pair becomes a replacement character; JSON text has none. */
export function encodeText(text: string): Uint8Array {
  const mostBytes = text.length * UNIT_BYTES;
  if (mostBytes > MAX_SHORT_BYTES) return encoder.encode(text);
  if (used + mostBytes > block.length) {
    block = new Uint8Array(BLOCK_BYTES);
    used = 0;
  }
  const from = used;
  used += encoder.encodeInto(text, block.subarray(from)).written;
  return block.subarray(from, used);
}
