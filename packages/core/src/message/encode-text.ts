// Encodes text as UTF-8. A buffer per text costs more to allocate and collect than to fill, so short texts are written one
// after the other into shared blocks. No byte is written twice, so results never change. A block is collected once
// none of its texts is in use. Must not know what the text means.

/** The size of a block: the most memory that one short text may keep alive. */
const BLOCK_BYTES = 32_768;
/** Most bytes that one UTF-16 unit takes. */
const UNIT_BYTES = 3;
/** A text that may take more bytes gets a separate buffer, so that less than this is unused at the end of a block. */
const MAX_SHORT_BYTES = 8_192;

const encoder = new TextEncoder();
let block = new Uint8Array(0);
let used = 0;

/** The UTF-8 bytes of a text. A lone surrogate becomes a replacement character; JSON text has none. */
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
