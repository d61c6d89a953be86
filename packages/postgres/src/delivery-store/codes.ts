// States, reasons and types as numbers, which are stored and never change. Lists of core may grow at the end; a new type of message gets
// the next number.

import {
  createStoreError,
  DEAD_REASONS,
  type DeadReason,
  DELIVERY_STATES,
  type DeliveryId,
  deliveryId,
  type DeliveryState,
  type InitialState,
  type MessageType,
  type Outcome,
  REGULATIONS,
  type Regulation,
} from "@postrider/core";

const TYPE_CODES: Readonly<Record<MessageType, number>> = {
  identify: 0,
  track: 1,
  page: 2,
  screen: 3,
  group: 4,
  alias: 5,
  delete: 6,
};

/** The kinds of counters by their numbers; `accepted` is the sum of the first five. */
export const COUNT_KINDS = [
  "filtered",
  "waiting",
  "claimed",
  "delivered",
  "dead",
  "received",
  "refused",
  "duplicates",
  "suppressed",
  "shed",
] as const;

/** The type of each number. Safe cast: the keys of the table are the types. */
const TYPES = new Map(Object.entries(TYPE_CODES).map(([type, code]) => [code, type as MessageType]));

/** The number of an initial state, as the SQL function `commit` knows it. */
export const STARTS: Readonly<Record<InitialState["kind"], number>> = { claimed: 0, waiting: 1, dead: 2 };

/** The number of an outcome, as the SQL function `settle` knows it. */
export const OUTCOMES: Readonly<Record<Outcome["kind"], number>> = {
  delivered: 0,
  dead: 1,
  rescheduled: 2,
  released: 3,
};

/** The number of a type. */
export function codeOfType(type: MessageType): number {
  return TYPE_CODES[type];
}

/** The type of a number. */
export function typeOfCode(code: number): MessageType {
  return TYPES.get(code) ?? refuse("type");
}

/** The number of a state. */
export function codeOfState(state: DeliveryState): number {
  return DELIVERY_STATES.indexOf(state);
}

/** The state of a number. */
export function stateOfCode(code: number): DeliveryState {
  return DELIVERY_STATES[code] ?? refuse("state");
}

/** The number of a reason. */
export function codeOfReason(reason: DeadReason): number {
  return DEAD_REASONS.indexOf(reason);
}

/** The reason of a number. */
export function reasonOfCode(code: number): DeadReason {
  return DEAD_REASONS[code] ?? refuse("reason");
}

/** The number of a regulation. */
export function codeOfRegulation(regulation: Regulation): number {
  return REGULATIONS.indexOf(regulation);
}

/** The regulation of a number. */
export function regulationOfCode(code: number): Regulation {
  return REGULATIONS[code] ?? refuse("regulation");
}

/** The place of a delivery: the number of its message, and its place among the deliveries of that message. */
export interface DeliveryPlace {
  readonly id: number;
  readonly place: number;
}

/** A place that no delivery has. */
export const NOWHERE: DeliveryPlace = { id: -1, place: -1 };

/** The id of the delivery at a place. */
export function idAtPlace({ id, place }: DeliveryPlace): DeliveryId {
  return deliveryId(`${String(id)}-${String(place)}`);
}

const ID = /^([1-9]\d{0,15})-(0|[1-9]\d{0,5})$/;

/** The place of an id; `NOWHERE` for one that this store cannot have given. */
export function placeOf(id: string): DeliveryPlace {
  const [, message, place] = ID.exec(id) ?? [];
  const parsed = { id: Number(message), place: Number(place) };
  return Number.isSafeInteger(parsed.id) ? parsed : NOWHERE;
}

function refuse(what: string): never {
  throw createStoreError("corrupt", `PostgreSQL: a ${what} that does not exist`);
}
