// Writes a message, once, as the bytes that are stored, signed and sent. A receiver that parses the bytes and stringifies the
// result gets the same bytes, as verification requires (spec, webhook destination §5, rule 3). Knows no store.

import type { Body } from "../ids.js";
import { encodeText } from "./encode-text.js";
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
