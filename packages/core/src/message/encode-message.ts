// Writes a message, once, as the bytes that are stored, signed and sent. A receiver that parses the bytes and stringifies the
// result gets the same bytes, as verification requires (spec, webhook destination §5, rule 3). Short texts share blocks, since
// a buffer per text costs more to allocate and collect than to fill. No byte is written twice, so results never change.

import type { Body } from "../ids.js";
import type { Message } from "./message.js";

/** The JSON text of a message as UTF-8 bytes. The array may be a view into a larger shared buffer. */
export function encodeMessage(message: Message): Body {
  return encodeText(JSON.stringify(message)) as Body;
}

/** Does the same for a message whose `context` is `{}`, but writes `context`, which is JSON text, instead of the `{}`. */
export function encodeWithContext(message: Message, context: string): Body {
  const text = JSON.stringify(message);
  // Only instants follow the context, so the last match is the message's own context.
  const at = text.lastIndexOf(NO_CONTEXT);
  return encodeText(`${text.slice(0, at)}"context":${context},${text.slice(at + NO_CONTEXT.length)}`) as Body;
}

const NO_CONTEXT = '"context":{},';

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
