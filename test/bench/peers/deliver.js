// The code that every peer needs to deliver a call without Postrider: the message, its signature, a POST by fetch with
// five seconds to answer. The message has the same keys as Postrider's, so the same bytes go over the wire.

import { createHmac } from "node:crypto";
import { SECRET } from "../scene.js";

const TIMEOUT_MS = 5_000;

/** The text to be delivered, for each call of a batch. */
export function messagesOf({ batch, sentAt, ...single }) {
  const receivedAt = new Date().toISOString();
  const calls = batch ?? [{ ...single, sentAt }];
  return calls.map((call) =>
    JSON.stringify({
      version: 1,
      type: call.type,
      messageId: call.messageId,
      userId: call.userId,
      event: call.event,
      properties: call.properties,
      context: call.context,
      timestamp: call.timestamp,
      originalTimestamp: call.timestamp,
      sentAt: sentAt ?? call.sentAt,
      receivedAt,
    }),
  );
}

/** Delivers a message; rejects if it was not accepted. */
export async function deliver(url, text) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "User-Agent": "Postrider/1.0",
      "Content-Type": "application/json",
      "Accept-Encoding": "identity",
      "X-Signature": createHmac("sha1", SECRET).update(text).digest("hex"),
    },
    body: text,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the receiver answered ${response.status}`);
}
