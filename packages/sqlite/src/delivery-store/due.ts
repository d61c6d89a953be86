// Finds the due deliveries of a lane, earliest first, of two kinds: never tried, and tried before. One index covers both
// waiting deliveries and those under an expired lease, because `due_at` of a claimed delivery is the end of its lease.

import { type EpochMs, epochMs, type LaneClaim } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readMaybeNumber, readNumber, readSingleRow, readRows, type Row } from "../rows/read-row.js";
import { toText } from "../rows/text.js";
import { BODY_COLUMNS } from "./read-body.js";

/**
 * Parameters: lane, 1 for deliveries tried before or 0 for those never tried, now, limit. Exported for the test of its
 * query plan.
 */
export const SELECT_DUE: string = `
  select d.state, d.token, d.message, d.accepted_at, d.due_at, d.rounds, d.first_attempt_at, d.remembers, d.deletion, m.traceparent,
    ${BODY_COLUMNS}
  from delivery d indexed by delivery_due left join message m on m.id = d.message
  where d.lane = ? and (d.rounds > 0) = ? and d.due_at <= ? order by d.due_at, d.id limit ?`;

/**
 * SQL that selects the earliest due time in a lane, among deliveries never tried (`kind` 0) or tried before (`kind` 1).
 */
export function nextDueSql(lane: string, kind: 0 | 1): string {
  return `select due_at from delivery indexed by delivery_due
    where lane = ${lane} and (rounds > 0) = ${String(kind)} and due_at is not null order by due_at limit 1`;
}

export interface Due {
  /** Due deliveries up to the limit of the claim. `retries` is the share of those that were tried before. */
  find(lane: LaneClaim, now: EpochMs): readonly Row[];
  /** The earliest due time in the lane; undefined if the lane is empty. */
  next(lane: LaneClaim): EpochMs | undefined;
}

const FRESH = 0;
const TRIED = 1;

export function prepareDue(database: SqliteDatabase): Due {
  const due = database.prepare(SELECT_DUE);
  const next = database.prepare(`select (${nextDueSql("?1", FRESH)}) as fresh, (${nextDueSql("?1", TRIED)}) as tried`);

  return {
    find: ({ lane, limit, retries }, now): readonly Row[] => {
      const ask = (kind: 0 | 1, most: number): readonly Row[] =>
        most === 0 ? [] : readRows(due.all(toText(lane), kind, now, most));
      return retries === undefined ? findEarliest(ask, limit) : findShared(ask, limit, retries);
    },
    next: ({ lane }) => readEarliestDueAt(readSingleRow(next.get(toText(lane)))),
  };
}

type Ask = (kind: 0 | 1, most: number) => readonly Row[];

/** Each kind gets its share, and also the part of the other share that is not used. */
function findShared(ask: Ask, limit: number, retries: number): readonly Row[] {
  const share = ask(TRIED, Math.min(retries, limit));
  const fresh = ask(FRESH, limit - share.length);
  const room = limit - fresh.length;
  return [...fresh, ...(room > share.length && share.length === retries ? ask(TRIED, room) : share)];
}

function findEarliest(ask: Ask, limit: number): readonly Row[] {
  return [...ask(FRESH, limit), ...ask(TRIED, limit)].sort(compareDue).slice(0, limit);
}

function compareDue(one: Row, other: Row): number {
  return readNumber(one, "due_at") - readNumber(other, "due_at") || readNumber(one, "id") - readNumber(other, "id");
}

/** The earlier of the columns `fresh` and `tried`; undefined if both are null. */
export function readEarliestDueAt(row: Row): EpochMs | undefined {
  const times = [readMaybeNumber(row, "fresh"), readMaybeNumber(row, "tried")].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : epochMs(Math.min(...times));
}
