// Stores new deliveries of messages, in the state in which they start. An id is taken before its delivery is stored, as
// the next after all that were ever given: the checksum covers it. A row says of its message what a settlement must know.

import type { DeliveryId, DeliveryState, EpochMs, Lease, Start } from "@postrider/core";
import { prepareBatch } from "../batch.js";
import type { SqliteDatabase } from "../database.js";
import { deliverySum } from "../checksum.js";
import { readNumber, readOnly } from "../read-row.js";
import { orNull, toText } from "../text.js";
import { idOf, LAST_ID, stateCode } from "./codes.js";
import type { Ledger } from "./ledger.js";
import type { Unit } from "./unit.js";

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

/** Of one commit. */
export interface NewDeliveries {
  add(newcomer: Newcomer, now: EpochMs): DeliveryId;
  /** The last delivery that was ever given, these included. */
  last(): number;
  write(): void;
}

export interface Opening {
  readonly ledger: Ledger;
  /** For what starts claimed. */
  readonly lease: Lease;
}

const COLUMNS = [
  ...["id", "message", "lane", "state", "accepted_at", "due_at", "token", "finished_at", "reason"],
  ...["replay_of", "checksum", "source", "size", "deletion"],
];

export function prepareNewDeliveries(database: SqliteDatabase): (opening: Opening) => NewDeliveries {
  const openRows = prepareBatch(
    database,
    COLUMNS.length,
    (values) => `insert into delivery (${COLUMNS.join(", ")}) ${values}`,
  );
  const last = database.prepare(LAST_ID);
  return ({ ledger, lease }) => {
    const rows = openRows();
    const token = toText(lease.token);
    let newest: number | undefined;

    // Under the write lock, nobody else can take the next one.
    function newestOf(): number {
      newest ??= readNumber(readOnly(last.get()), "row");
      return newest;
    }

    return {
      last: newestOf,
      add: ({ unit, message, acceptedAt, replayOf, start }, now): DeliveryId => {
        newest = newestOf() + 1;
        const { source, lane, size, deletion } = unit;
        const sum = deliverySum(message.content, newest, lane);
        rows.add([
          ...[newest, message.row, toText(lane), stateCode(stateOf(start)), acceptedAt],
          ...[dueAtOf(start, lease, now), start.kind === "claimed" ? token : null],
          ...(start.kind === "dead" ? [now, start.reason] : [null, null]),
          ...[replayOf ?? null, sum, toText(source), size, orNull(deletion)],
        ]);
        ledger.enter(unit, stateOf(start));
        return idOf(newest);
      },
      write: () => {
        rows.write();
      },
    };
  };
}

function stateOf({ kind }: Start): DeliveryState {
  return kind;
}

function dueAtOf(start: Start, lease: Lease, now: EpochMs): number | null {
  switch (start.kind) {
    case "claimed":
      return now + lease.leaseMs;
    case "waiting":
      return start.dueAt;
    case "dead":
      return null;
  }
}
