// Stores one new message: its body once, a delivery for each destination, its filtered units as
// mere counts.

import type { Accepted, EpochMs, NewMessage } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { contentSum } from "../checksum.js";
import { type Opening, prepareInsertDelivery } from "./insert-delivery.js";
import { prepareMessages } from "./messages.js";

export type Accept = (message: NewMessage, opening: Opening, now: EpochMs) => Accepted;

export function prepareAccept(database: SqliteDatabase): Accept {
  const messages = prepareMessages(database);
  const insertDelivery = prepareInsertDelivery(database);

  return (message, opening, now) => {
    const { source, body, receivedAt: acceptedAt, filtered, deletion } = message;
    opening.ledger.count(source, "accepted", filtered.length);
    opening.ledger.count(source, "filtered", filtered.length);
    if (deletion === undefined) opening.ledger.count(source, "received", 1);
    // A message that goes nowhere is remembered by its id alone.
    if (message.deliveries.length === 0) return { kind: "stored", deliveries: [] };
    const stored = { row: messages.add(message), content: contentSum(message) };
    const deliveries = message.deliveries.map(({ destination, start }) => {
      const unit = { source, lane: destination, size: body.length, deletion };
      return insertDelivery({ unit, message: stored, acceptedAt, start }, opening, now);
    });
    return { kind: "stored", deliveries };
  };
}
