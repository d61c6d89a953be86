// Stores one new message: its body once, with whom it is about, a delivery for each destination, its filtered units as
// mere counts.

import type { Accepted, EpochMs, NewMessage } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { contentSum } from "../checksum.js";
import { toText } from "../text.js";
import { type Opening, prepareInsertDelivery } from "./insert-delivery.js";

export type Accept = (message: NewMessage, opening: Opening, now: EpochMs) => Accepted;

const INSERT =
  "insert into message (source, message_id, type, body, user_id, previous_id, deletion) values (?, ?, ?, ?, ?, ?, ?)";

export function prepareAccept(database: SqliteDatabase): Accept {
  const insertMessage = database.prepare(INSERT);
  const insertDelivery = prepareInsertDelivery(database);

  function store({ source, messageId, type, body, userIds = [], deletion }: NewMessage): number {
    const [userId, previousId] = userIds;
    const about = [userId, previousId, deletion].map((id) => (id === undefined ? null : toText(id)));
    return Number(insertMessage.run(toText(source), toText(messageId), type, body, ...about).lastInsertRowid);
  }

  return (message, opening, now) => {
    const { source, body, receivedAt: acceptedAt, filtered, deletion } = message;
    opening.ledger.count(source, "accepted", filtered.length);
    opening.ledger.count(source, "filtered", filtered.length);
    // A message that goes nowhere is remembered by its id alone.
    if (message.deliveries.length === 0) return { kind: "stored", deliveries: [] };
    const stored = { row: store(message), content: contentSum(message) };
    const deliveries = message.deliveries.map(({ destination, start }) => {
      const unit = { source, lane: destination, size: body.length, deletion };
      return insertDelivery({ unit, message: stored, acceptedAt, start }, opening, now);
    });
    return { kind: "stored", deliveries };
  };
}
