// Stores one new message: its body once, a delivery for each destination, its filtered units as mere counts.

import type { Accepted, EpochMs, NewMessage } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { contentSum } from "../checksum.js";
import { toText } from "../text.js";
import { type Opening, prepareInsertDelivery } from "./insert-delivery.js";

export type Accept = (message: NewMessage, opening: Opening, now: EpochMs) => Accepted;

export function prepareAccept(database: SqliteDatabase): Accept {
  const insertMessage = database.prepare("insert into message (source, message_id, type, body) values (?, ?, ?, ?)");
  const insertDelivery = prepareInsertDelivery(database);

  function store({ source, messageId, type, body }: NewMessage): number {
    return Number(insertMessage.run(toText(source), toText(messageId), type, body).lastInsertRowid);
  }

  return (message, opening, now) => {
    const { source, body, receivedAt: acceptedAt, filtered } = message;
    opening.ledger.count(source, "accepted", filtered.length);
    opening.ledger.count(source, "filtered", filtered.length);
    // A message that goes nowhere is remembered by its id alone.
    if (message.deliveries.length === 0) return { kind: "stored", deliveries: [] };
    const stored = { row: store(message), content: contentSum(message) };
    const deliveries = message.deliveries.map(({ destination, start }) => {
      const unit = { source, lane: destination, size: body.length };
      return insertDelivery({ unit, message: stored, acceptedAt, start }, opening, now);
    });
    return { kind: "stored", deliveries };
  };
}
