// How states and ids are stored: as small integers. The number of a state is its index in core's list, which may grow at
// its end but never change its order.

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

/** The last row number that was ever assigned, including those of swept rows. */
export const LAST_ID = "select coalesce(max(seq), 0) as row from sqlite_sequence where name = 'delivery'";

const ID = /^[1-9]\d{0,14}$/;

/** The row of an id; undefined for an id that no store gives. */
export function rowOf(id: DeliveryId): number | undefined {
  return ID.test(id) ? Number(id) : undefined;
}
