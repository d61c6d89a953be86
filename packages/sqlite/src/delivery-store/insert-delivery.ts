// Stores one new delivery of a message, in the state in which it starts. Its id is taken before it is stored, as the next
// after all that were ever given: the checksum covers it.

import type { DeliveryId, DeliveryState, EpochMs, Lease, Start } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { deliverySum } from "../checksum.js";
import { readNumber, readOnly } from "../read-row.js";
import { toText } from "../text.js";
import { idOf, LAST_ID, stateCode } from "./codes.js";
import type { Unit } from "./unit.js";
import type { Transaction } from "./transaction.js";

export interface StoredMessage {
  readonly row: number;
  /** The checksum of what it holds. */
  readonly content: number;
}

export interface Newcomer {
  readonly unit: Unit;
  readonly message: StoredMessage;
  readonly acceptedAt: EpochMs;
  /** The row of the delivery that it repeats. */
  readonly replayOf?: number;
  readonly start: Start;
}

export interface Opening extends Transaction {
  /** For what starts claimed. */
  readonly lease: Lease;
}

export type InsertDelivery = (newcomer: Newcomer, opening: Opening, now: EpochMs) => DeliveryId;

const INSERT = `
  insert into delivery
    (id, message, lane, state, accepted_at, due_at, token, finished_at, reason, replay_of, checksum)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function prepareInsertDelivery(database: SqliteDatabase): InsertDelivery {
  const insert = database.prepare(INSERT);
  const nextId = prepareNextId(database);
  return ({ unit, message, acceptedAt, replayOf, start }, { ledger, lease }, now) => {
    const { state, dueAt, token, finishedAt, reason } = beginning(start, lease, now);
    const id = nextId();
    insert.run(
      ...[id, message.row, toText(unit.lane), stateCode(state), acceptedAt],
      ...[dueAt, token, finishedAt, reason, replayOf ?? null, deliverySum(message.content, id, unit.lane)],
    );
    ledger.enter(unit, state);
    return idOf(id);
  };
}

/** Under the write lock, nobody else can take the same. */
function prepareNextId(database: SqliteDatabase): () => number {
  const last = database.prepare(LAST_ID);
  return () => readNumber(readOnly(last.get()), "row") + 1;
}

interface Beginning {
  readonly state: DeliveryState;
  readonly dueAt: number | null;
  readonly token: string | null;
  readonly finishedAt: number | null;
  readonly reason: string | null;
}

function beginning(start: Start, lease: Lease, now: EpochMs): Beginning {
  const open = { token: null, finishedAt: null, reason: null };
  switch (start.kind) {
    case "claimed":
      return { ...open, state: "claimed", dueAt: now + lease.leaseMs, token: toText(lease.token) };
    case "waiting":
      return { ...open, state: "waiting", dueAt: start.dueAt };
    case "dead":
      return { ...open, state: "dead", dueAt: null, finishedAt: now, reason: start.reason };
  }
}
