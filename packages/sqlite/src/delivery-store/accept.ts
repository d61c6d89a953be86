// Stores new messages: the body of each once, and its deliveries in their first state. The id of a delivery is assigned before its
// row is written, because the checksum covers the id; it is one more than the last id ever assigned. The row repeats the columns of
// its message that a settlement needs.

import type {
  AcceptResult,
  EpochMs,
  NewMessage,
  DeliveryId,
  DeliveryState,
  Lease,
  InitialState,
} from "@postrider/core";
import type { SqliteDatabase, SqlValue } from "../file/database.js";
import type { CounterDeltas } from "./transaction.js";
import {
  contentSum,
  deliverySum,
  readNumber,
  readSingleRow,
  toTextOrNull,
  toText,
  type RowBatch,
  prepareBatch,
} from "../rows/rows.js";
import { prepareMessages } from "./erasable-tables.js";
import { idOf, SELECT_LAST_ID, stateCode, type CountedFields } from "./codes.js";

export interface AcceptContext {
  readonly deltas: CounterDeltas;
  readonly newDeliveries: NewDeliveries;
}

type Accept = (message: NewMessage, accepting: AcceptContext, now: EpochMs) => AcceptResult;

export function prepareAccept(database: SqliteDatabase): Accept {
  const messages = prepareMessages(database);

  return (message, { deltas, newDeliveries }, now) => {
    const { source, body, receivedAt: acceptedAt, filtered, deletion } = message;
    deltas.count(source, "accepted", filtered.length);
    deltas.count(source, "filtered", filtered.length);
    if (deletion === undefined) deltas.count(source, "received", 1);
    // A message without deliveries is stored only as its id in dedupe.
    if (message.deliveries.length === 0) return { kind: "stored", deliveries: [] };
    const storedMessage = { row: messages.add(message), content: contentSum(message) };
    const deliveries = message.deliveries.map(({ destination, start }) => {
      const countedFields = { source, lane: destination, size: body.length, deletion };
      return newDeliveries.add({ counted: countedFields, message: storedMessage, acceptedAt, start }, now);
    });
    return { kind: "stored", deliveries };
  };
}

interface StoredMessage {
  readonly row: number;
  /** The checksum of the contents of the message. */
  readonly content: number;
}

interface DeliveryToAdd {
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
  lastId(): number;
  /** Writes the rows that are not written yet. */
  write(): void;
}

interface NewDeliveriesOptions {
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
  const selectLastId = database.prepare(SELECT_LAST_ID);
  return ({ deltas, lease }) => {
    const [common, rare] = [openCommon(), openRare()];
    const token = toText(lease.token);
    let assignedId: number | undefined;

    // Under the write lock, no other connection can take the next id.
    function lastId(): number {
      assignedId ??= readNumber(readSingleRow(selectLastId.get()), "row");
      return assignedId;
    }

    return {
      lastId,
      add: ({ counted, message, acceptedAt, replayOf, start }, now): DeliveryId => {
        const id = lastId() + 1;
        assignedId = id;
        const { source, lane, size, deletion } = counted;
        const sum = deliverySum(message.content, id, lane);
        const isClaimed = start.kind === "claimed";
        const row = [id, message.row, toText(lane), stateCode(stateOf(start)), acceptedAt] as const;
        const values = [...row, dueAtOf(start, lease, now), isClaimed ? token : null, sum, toText(source), size];
        const isCommon = start.kind !== "dead" && replayOf === undefined && deletion === undefined;
        if (isCommon) common.add(values);
        else rare.add([...values, ...endOf(start, now), replayOf ?? null, toTextOrNull(deletion)]);
        deltas.add(counted, stateOf(start));
        return idOf(id);
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
