// Encodes states and ids as integers. The number of a state is its index in core's list: states may be added at the end of
// that list, but its order must never change.

import { createStoreError, DELIVERY_STATES, type DeliveryId, deliveryId, type DeliveryState } from "@postrider/core";
import { readNumber, type Row } from "../rows/read-row.js";

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
