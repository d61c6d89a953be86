// Stores one new delivery of a message, in the state in which it starts.

import type { DeliveryId, DeliveryState, EpochMs, Lease, Start } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { toText } from "../text.js";
import { idOf, stateCode } from "./codes.js";
import type { Ledger, Unit } from "./ledger.js";

export interface Newcomer {
  readonly unit: Unit;
  /** The row of its message. */
  readonly message: number;
  readonly acceptedAt: EpochMs;
  /** The row of the delivery that it repeats. */
  readonly replayOf?: number;
  readonly start: Start;
}

export interface Opening {
  readonly ledger: Ledger;
  /** For what starts claimed. */
  readonly lease: Lease;
}

export type InsertDelivery = (newcomer: Newcomer, opening: Opening, now: EpochMs) => DeliveryId;

const INSERT = `
  insert into delivery (message, lane, state, accepted_at, due_at, token, finished_at, reason, replay_of)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function prepareInsertDelivery(database: SqliteDatabase): InsertDelivery {
  const insert = database.prepare(INSERT);
  return ({ unit, message, acceptedAt, replayOf, start }, { ledger, lease }, now) => {
    const { state, dueAt, token, finishedAt, reason } = beginning(start, lease, now);
    const { lastInsertRowid } = insert.run(
      ...[message, toText(unit.lane), stateCode(state), acceptedAt],
      ...[dueAt, token, finishedAt, reason, replayOf ?? null],
    );
    ledger.enter(unit, state);
    return idOf(lastInsertRowid);
  };
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
