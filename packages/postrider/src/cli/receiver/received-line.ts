// Writes a received message as one line, whatever its body is.

import { formatTimestamp } from "@postrider/core/engine";
import type { ReceivedMessage } from "./receiver.js";

/** `2026-01-31T12:00:00.000Z  track  signature ok  {"version":1,…}`; a body that is not a JSON object is quoted. */
export function receivedLine({ at, signature, message, text }: ReceivedMessage): string {
  const body = JSON.stringify(message ?? text);
  return `${formatTimestamp(at)}  ${kindOf(message)}  signature ${signature}  ${body}`;
}

function kindOf(message: ReceivedMessage["message"]): string {
  const type = message?.["type"];
  return typeof type === "string" && /^[a-z]+$/.test(type) ? type : "unknown";
}
