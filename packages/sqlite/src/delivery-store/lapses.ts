// The claims of deliveries whose lease ended before they were settled, a row for each delivery that has any.

import { type EpochMs, epochMs, type Lapses, leaseToken, type LeaseToken, processId, holderOf } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { SqliteDatabase } from "../file/database.js";
import { readMaybeText, readNumber, readRow, readText, type Row } from "../rows/read-row.js";
import { toText } from "../rows/text.js";
import { readState } from "./codes.js";

export interface LapseStatements {
  /**
   * Counts a lapse if the row is claimed: it has the columns `id`, `state`, `due_at` and `token`. `by` is the token of the claim that
   * follows; absent if the delivery becomes dead.
   */
  note(row: Row, now: EpochMs, by?: LeaseToken): void;
  read(delivery: number): Lapses | undefined;
  remove(deliveries: readonly number[]): void;
}

const NOTE = `
  insert into lapse (delivery, count, process, lease_until, taken_at, taken_by) values (?, 1, ?, ?, ?, ?)
  on conflict (delivery) do update set count = count + 1, process = excluded.process, lease_until = excluded.lease_until,
    taken_at = excluded.taken_at, taken_by = excluded.taken_by`;

export function prepareLapses(database: SqliteDatabase): LapseStatements {
  const note = database.prepare(NOTE);
  const read = database.prepare("select * from lapse where delivery = ?");
  const remove = database.prepare("delete from lapse where delivery in (select value from json_each(?))");
  return {
    note(row, now, by): void {
      if (readState(row) !== "claimed") return;
      const process = holderOf(leaseToken(readText(row, "token")));
      const takenBy = by === undefined ? null : toText(holderOf(by));
      note.run(readNumber(row, "id"), toText(process), readNumber(row, "due_at"), now, takenBy);
    },
    read(delivery): Lapses | undefined {
      const row = readRow(read.get(delivery));
      return row && readLapses(row);
    },
    remove: (deliveries): void => void remove.run(JSON.stringify(deliveries)),
  };
}

function readLapses(row: Row): Lapses {
  const takenBy = readMaybeText(row, "taken_by");
  return {
    count: readNumber(row, "count"),
    process: processId(readText(row, "process")),
    leaseUntil: epochMs(readNumber(row, "lease_until")),
    takenAt: epochMs(readNumber(row, "taken_at")),
    ...defined({ takenBy: takenBy === undefined ? undefined : processId(takenBy) }),
  };
}
