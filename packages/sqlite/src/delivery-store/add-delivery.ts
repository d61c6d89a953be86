// Stores new deliveries in their first state. The id is assigned before the row is written, because the checksum covers
// the id. The id is one more than the last id ever assigned. The row repeats the columns of its message that a
// settlement needs.

import type { DeliveryId, DeliveryState, EpochMs, Lease, InitialState } from "@postrider/core";
import { type RowBatch, prepareBatch } from "../rows/batch.js";
import type { SqliteDatabase, SqlValue } from "../file/database.js";
import { deliverySum } from "../rows/checksum.js";
import { readNumber, readSingleRow } from "../rows/read-row.js";
import { toTextOrNull, toText } from "../rows/text.js";
import { idOf, SELECT_LAST_ID, stateCode } from "./codes.js";
import type { CounterDeltas } from "./counter-deltas.js";
import type { CountedFields } from "./counted.js";

export interface StoredMessage {
  readonly row: number;
  /** The checksum of the contents of the message. */
  readonly content: number;
}

export interface DeliveryToAdd {
  readonly counted: CountedFields;
  readonly message: StoredMessage;
  readonly acceptedAt: EpochMs;
  /** The row of the old delivery, if this is a replay. */
  readonly replayOf?: number;
  readonly start: InitialState;
}

/** The new deliveries of one commit. */
export interface NewDeliveries {
  add(toAdd: DeliveryToAdd, now: EpochMs): DeliveryId;
  /** The last id that was ever assigned, including those that `add` assigned. */
  last(): number;
  write(): void;
}

export interface NewDeliveriesOptions {
  readonly deltas: CounterDeltas;
  /** The lease of deliveries that start claimed. */
  readonly lease: Lease;
}

const COLUMNS = ["id", "message", "lane", "state", "accepted_at", "due_at", "token", "checksum", "source", "size"];
/**
 * Columns that are mostly null. Rows that need them have a separate statement, since each column adds a tenth to the
 * time of a row.
 */
const RARE_COLUMNS = ["finished_at", "reason", "replay_of", "deletion"];

export function prepareNewDeliveries(database: SqliteDatabase): (options: NewDeliveriesOptions) => NewDeliveries {
  const openCommon = prepareInsert(database, COLUMNS);
  const openRare = prepareInsert(database, [...COLUMNS, ...RARE_COLUMNS]);
  const last = database.prepare(SELECT_LAST_ID);
  return ({ deltas, lease }) => {
    const [common, rare] = [openCommon(), openRare()];
    const token = toText(lease.token);
    let newest: number | undefined;

    // Under the write lock, no other connection can take the next id.
    function newestOf(): number {
      newest ??= readNumber(readSingleRow(last.get()), "row");
      return newest;
    }

    return {
      last: newestOf,
      add: ({ counted, message, acceptedAt, replayOf, start }, now): DeliveryId => {
        newest = newestOf() + 1;
        const { source, lane, size, deletion } = counted;
        const sum = deliverySum(message.content, newest, lane);
        const isClaimed = start.kind === "claimed";
        const row = [newest, message.row, toText(lane), stateCode(stateOf(start)), acceptedAt] as const;
        const values = [...row, dueAtOf(start, lease, now), isClaimed ? token : null, sum, toText(source), size];
        const isCommon = start.kind !== "dead" && replayOf === undefined && deletion === undefined;
        if (isCommon) common.add(values);
        else rare.add([...values, ...endOf(start, now), replayOf ?? null, toTextOrNull(deletion)]);
        deltas.add(counted, stateOf(start));
        return idOf(newest);
      },
      write: () => {
        common.write();
        rare.write();
      },
    };
  };
}

function prepareInsert(database: SqliteDatabase, columns: readonly string[]): () => RowBatch {
  return prepareBatch(database, columns.length, (values) => `insert into delivery (${columns.join(", ")}) ${values}`);
}

/** The values of `finished_at` and `reason`. */
function endOf(start: InitialState, now: EpochMs): readonly SqlValue[] {
  return start.kind === "dead" ? [now, start.reason] : [null, null];
}

function stateOf({ kind }: InitialState): DeliveryState {
  return kind;
}

function dueAtOf(start: InitialState, lease: Lease, now: EpochMs): number | null {
  switch (start.kind) {
    case "claimed":
      return now + lease.leaseMs;
    case "waiting":
      return start.dueAt;
    case "dead":
      return null;
  }
}
