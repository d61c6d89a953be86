// Writes a message as the bytes that are stored, signed and sent. Stringified once; whoever parses these bytes and
// stringifies the result gets them again, which is how receivers verify (spec, webhook destination §5, rule 3).

import type { Body } from "../ids.js";
import { encodeText } from "./encode-text.js";
import type { Message } from "./message.js";

/** The JSON text of a message as UTF-8 bytes. They may be a part of a buffer that holds others too. */
export function encodeMessage(message: Message): Body {
  return encodeText(JSON.stringify(message)) as Body;
}

/** The same of a call's message that has no context yet, with one that is JSON text already. */
export function encodeWithContext(message: Message, context: string): Body {
  const text = JSON.stringify(message);
  // Behind the context there are only instants, so that this is the message's own one.
  const at = text.lastIndexOf(NO_CONTEXT);
  return encodeText(`${text.slice(0, at)}"context":${context},${text.slice(at + NO_CONTEXT.length)}`) as Body;
}

const NO_CONTEXT = '"context":{},';
