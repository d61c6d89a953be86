// Writes a message as the bytes that are stored, signed and sent. Stringified once; whoever parses these bytes and
// stringifies the result gets them again, which is how receivers verify (spec, webhook destination §5, rule 3).

import type { Body } from "../ids.js";
import { encodeText } from "./encode-text.js";
import type { Message } from "./message.js";

/** The JSON text of a message as UTF-8 bytes. They may be a part of a buffer that holds others too. */
export function encodeMessage(message: Message): Body {
  return encodeText(JSON.stringify(message)) as Body;
}
