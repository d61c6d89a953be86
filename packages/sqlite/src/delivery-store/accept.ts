// Stores one new message: its body once, a delivery for each destination, its filtered units as
// mere counts.

import type { Accepted, EpochMs, NewMessage } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { contentSum } from "../rows/checksum.js";
import type { NewDeliveries } from "./add-delivery.js";
import type { Ledger } from "./counter-deltas.js";
import { prepareMessages } from "./messages.js";

export interface Books {
  readonly ledger: Ledger;
  readonly newDeliveries: NewDeliveries;
}

export type Accept = (message: NewMessage, books: Books, now: EpochMs) => Accepted;

export function prepareAccept(database: SqliteDatabase): Accept {
  const messages = prepareMessages(database);

  return (message, { ledger, newDeliveries }, now) => {
    const { source, body, receivedAt: acceptedAt, filtered, deletion } = message;
    ledger.count(source, "accepted", filtered.length);
    ledger.count(source, "filtered", filtered.length);
    if (deletion === undefined) ledger.count(source, "received", 1);
    // A message that goes nowhere is remembered by its id alone.
    if (message.deliveries.length === 0) return { kind: "stored", deliveries: [] };
    const stored = { row: messages.add(message), content: contentSum(message) };
    const deliveries = message.deliveries.map(({ destination, start }) => {
      const unit = { source, lane: destination, size: body.length, deletion };
      return newDeliveries.add({ unit, message: stored, acceptedAt, start }, now);
    });
    return { kind: "stored", deliveries };
  };
}
