// Stores one new message: its body once, and one delivery for each destination. Filtered destinations are only counted.

import type { AcceptResult, EpochMs, Lease, NewMessage } from "@postrider/core";
import { addDelivery } from "./add-delivery.js";
import type { MemoryStoreBounds } from "./bounds.js";
import type { Contents, MessageContents } from "./contents.js";
import { copyBody } from "./copies.js";
import { remember } from "./dedupe.js";
import { countsOf } from "./move.js";

export interface MessageToAccept {
  readonly message: NewMessage;
  /** The lease of those deliveries of the message that start as claimed. */
  readonly lease: Lease;
  readonly bounds: MemoryStoreBounds;
}

export function acceptMessage(
  contents: Contents,
  { message, lease, bounds }: MessageToAccept,
  now: EpochMs,
): AcceptResult {
  remember(contents.seen, message, bounds.maxMessageIds, now);
  const counts = countsOf(contents, message.source);
  counts.accepted += message.filtered.length;
  counts.filtered += message.filtered.length;
  if (message.deletion === undefined) counts.received += 1;

  const stored = storeMessage(message);
  const deliveries = message.deliveries.map(({ destination, start }) =>
    addDelivery(contents, { message: stored, destination, acceptedAt: message.receivedAt, start, lease }, now),
  );
  return { kind: "stored", deliveries };
}

function storeMessage({ source, messageId, type, body, deletion, traceparent, ...rest }: NewMessage): MessageContents {
  const userIds = [...(rest.userIds ?? [])];
  return { source, messageId, type, deletion, traceparent, userIds, body: copyBody(body), deliveries: new Set() };
}
