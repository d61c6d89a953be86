// How a received message is shown: one line, whatever came.

import { formatTimestamp } from "@postrider/core";
import type { Received } from "./receiver.js";

/** `2026-01-31T12:00:00.000Z  track  signature ok  {"version":1,…}`; a body that is no JSON object is quoted. */
export function receivedLine({ at, signature, message, text }: Received): string {
  const body = JSON.stringify(message ?? text);
  return `${formatTimestamp(at)}  ${kindOf(message)}  signature ${signature}  ${body}`;
}

function kindOf(message: Received["message"]): string {
  const type = message?.["type"];
  return typeof type === "string" && /^[a-z]+$/.test(type) ? type : "unknown";
}
