// Writes a message as the bytes that are stored, signed and sent. Stringified once; whoever parses these bytes and
// stringifies the result gets them again, which is how receivers verify (spec, webhook destination §5, rule 3).

import type { Body } from "../ids.js";
import type { Message } from "./message.js";

const encoder = new TextEncoder();

/** The JSON text of a message as UTF-8 bytes. */
export function encodeMessage(message: Message): Body {
  return encoder.encode(JSON.stringify(message)) as Body;
}
