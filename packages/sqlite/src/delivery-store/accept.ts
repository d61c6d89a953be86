// Stores one new message: its body once, and one delivery for each destination. Filtered destinations are only counted.

import type { AcceptResult, EpochMs, NewMessage } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { contentSum } from "../rows/checksum.js";
import type { NewDeliveries } from "./add-delivery.js";
import type { CounterDeltas } from "./counter-deltas.js";
import { prepareMessages } from "./messages.js";

export interface AcceptContext {
  readonly deltas: CounterDeltas;
  readonly newDeliveries: NewDeliveries;
}

export type Accept = (message: NewMessage, accepting: AcceptContext, now: EpochMs) => AcceptResult;

export function prepareAccept(database: SqliteDatabase): Accept {
  const messages = prepareMessages(database);

  return (message, { deltas, newDeliveries }, now) => {
    const { source, body, receivedAt: acceptedAt, filtered, deletion } = message;
    deltas.count(source, "accepted", filtered.length);
    deltas.count(source, "filtered", filtered.length);
    if (deletion === undefined) deltas.count(source, "received", 1);
    // A message without deliveries is stored only as its id in dedupe.
    if (message.deliveries.length === 0) return { kind: "stored", deliveries: [] };
    const stored = { row: messages.add(message), content: contentSum(message) };
    const deliveries = message.deliveries.map(({ destination, start }) => {
      const counted = { source, lane: destination, size: body.length, deletion };
      return newDeliveries.add({ counted, message: stored, acceptedAt, start }, now);
    });
    return { kind: "stored", deliveries };
  };
}
