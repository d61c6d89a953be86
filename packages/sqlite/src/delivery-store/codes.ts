// Reads and writes the columns of a delivery and of its message: states and ids as integers, the fields by which a delivery is
// counted, and its body, which is returned only if its checksum is right. The number of a state is its index in core's list: states
// may be added at the end of that list, but its order must never change.

import {
  createStoreError,
  DELIVERY_STATES,
  type DeliveryId,
  deliveryId,
  type DeliveryState,
  type DeletionId,
  type DestinationId,
  type SourceId,
  sourceId,
  type Body,
} from "@postrider/core";
import {
  readNumber,
  type Row,
  readMaybeText,
  readText,
  readMaybeBytes,
  readMaybeNumber,
  contentSum,
  deliverySum,
} from "../rows/rows.js";

export const WAITING: number = stateCode("waiting");
export const CLAIMED: number = stateCode("claimed");

export function stateCode(state: DeliveryState): number {
  return DELIVERY_STATES.indexOf(state);
}

export function readState(row: Row): DeliveryState {
  const state = DELIVERY_STATES[readNumber(row, "state")];
  if (state === undefined) throw createStoreError("corrupt", "SQLite: a delivery is in a state that does not exist");
  return state;
}

/** A delivery's id is the number of its row, which is assigned once and never reused. */
export function idOf(row: number): DeliveryId {
  return deliveryId(String(row));
}

/** Selects the last row number that was ever assigned, those of swept rows included. */
export const SELECT_LAST_ID = "select coalesce(max(seq), 0) as row from sqlite_sequence where name = 'delivery'";

const ID = /^[1-9]\d{0,14}$/;

/** The row of an id; undefined for an id that this store cannot have assigned. */
export function rowOf(id: DeliveryId): number | undefined {
  return ID.test(id) ? Number(id) : undefined;
}

/** The fields by which a delivery is counted. */
export interface CountedFields {
  readonly source: SourceId;
  readonly lane: DestinationId;
  /** Bytes of the delivery's body. */
  readonly size: number;
  /** The deletion request, if the delivery's message is a notice. */
  readonly deletion?: DeletionId | undefined;
}

/** The columns that `readCounted` reads, of `message m`. SQLite does not read the body for its length or for a null test. */
export const COUNTED_COLUMNS = "m.source, coalesce(length(m.body), 0) as size, m.deletion, m.wiped";

export function readCounted(row: Row, lane: DestinationId): CountedFields {
  const deletion = readMaybeText(row, "deletion") as DeletionId | undefined;
  return { source: sourceId(readText(row, "source")), lane, size: readNumber(row, "size"), deletion };
}

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
