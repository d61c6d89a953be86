// Returns a body only if a checksum shows that the message, the id of the delivery and its lane are as they were
// stored. So no damaged body is sent, and no body is sent to a wrong destination.

import { type Body, createStoreError, type DestinationId } from "@postrider/core";
import { contentSum, deliverySum } from "../rows/checksum.js";
import { readMaybeBytes, readMaybeNumber, readNumber, readText, type Row } from "../rows/read-row.js";

/** The columns that `readBody` reads, of `delivery d left join message m`. */
export const BODY_COLUMNS = "d.id, d.checksum, m.source, m.type, m.message_id, m.body, m.wiped";

/**
 * The body; undefined if it has been purged. `lane` is the lane under which the delivery was found. Throws if the checksum
 * differs, or if the body is missing although it has not been purged.
 */
export function readMaybeBody(row: Row, lane: DestinationId): Body | undefined {
  const body = readMaybeBytes(row, "body");
  if (body === undefined && readMaybeNumber(row, "wiped") !== undefined) return undefined;
  if (body === undefined) throw createStoreError("corrupt", "SQLite: a delivery has no body");
  if (readNumber(row, "checksum") === sumOf(row, body, lane)) return body as Body;
  throw createStoreError("corrupt", `SQLite: delivery ${String(readNumber(row, "id"))} is not what was stored`);
}

/** The body of a delivery that must have one; throws if it has none. */
export function readBody(row: Row, lane: DestinationId): Body {
  const body = readMaybeBody(row, lane);
  if (body === undefined) throw createStoreError("corrupt", "SQLite: an unfinished delivery has no body");
  return body;
}

function sumOf(row: Row, body: Uint8Array, lane: DestinationId): number {
  return deliverySum(readContentSum(row, body), readNumber(row, "id"), lane);
}

export function readContentSum(row: Row, body: Uint8Array): number {
  const [source, messageId, type] = [readText(row, "source"), readText(row, "message_id"), readText(row, "type")];
  return contentSum({ source, messageId, type, body });
}
