// Ends those deliveries of a lane that match a request and are waiting, or whose lease has expired. Each query uses an
// index, so that its time does not grow with the other deliveries of the lane.

import type { EndRequest, EpochMs } from "@postrider/core";
import type { SqliteDatabase, SqliteStatement } from "../file/database.js";
import { readNumber, readRows } from "../rows/read-row.js";
import { toText } from "../rows/text.js";
import { CLAIMED, readState, stateCode, WAITING } from "./codes.js";
import { prepareLapses } from "./lapses.js";
import { readCounted, COUNTED_COLUMNS } from "./read-counted.js";
import type { Transaction } from "./transaction.js";

export type End = (request: EndRequest, transaction: Transaction, now: EpochMs) => number;

/** Parameters: lane, now, first attempt before, accepted before, limit. Exported for the test of its query plan. */
export const SELECT_BY_FIRST_ATTEMPT: string = `
  select d.id, d.state, d.token, d.due_at, d.message, ${COUNTED_COLUMNS}
  from delivery d indexed by delivery_tried left join message m on m.id = d.message
  where d.lane = ? and d.due_at is not null and (d.state = ${String(WAITING)} or d.due_at <= ?)
    and d.first_attempt_at < ? and d.accepted_at < ?
  limit ?`;

/** Parameters: lane, accepted before, lane, accepted before, now, limit. Exported for the test of its query plan. */
export const SELECT_BY_ACCEPTED_AT: string = `
  select d.id, d.state, d.token, d.due_at, d.message, ${COUNTED_COLUMNS}
  from delivery d left join message m on m.id = d.message
  where d.id in (
    select id from delivery indexed by delivery_standing
    where lane = ? and state = ${String(WAITING)} and replayed = 0 and accepted_at < ?
    union all
    select id from delivery indexed by delivery_standing
    where lane = ? and state = ${String(CLAIMED)} and replayed = 0 and accepted_at < ? and due_at <= ?
    limit ?)`;

const END = `
  update delivery set state = ${String(stateCode("dead"))}, reason = ?, detail = coalesce(?, detail),
    finished_at = ?, due_at = null, token = null
  where id = ?`;

export function prepareEnd(database: SqliteDatabase): End {
  const statements = {
    tried: database.prepare(SELECT_BY_FIRST_ATTEMPT),
    accepted: database.prepare(SELECT_BY_ACCEPTED_AT),
  };
  const end = database.prepare(END);
  const lapses = prepareLapses(database);
  return (request, { deltas, erasure }, now) => {
    const { lane, reason, detail = null } = request;
    const rows = readRows(select(statements, request, now));
    for (const row of rows) {
      const id = readNumber(row, "id");
      const isPurged = erasure.isErased(id, readNumber(row, "message"), row);
      lapses.note(row, now);
      end.run(isPurged ? "purged" : reason, isPurged ? null : detail, now, id);
      deltas.move(readCounted(row, lane), readState(row), "dead");
    }
    return rows.length;
  };
}

interface Statements {
  readonly tried: SqliteStatement;
  readonly accepted: SqliteStatement;
}

function select({ tried, accepted }: Statements, request: EndRequest, now: EpochMs): readonly unknown[] {
  const { firstAttemptBefore, acceptedBefore = Number.MAX_SAFE_INTEGER, limit } = request;
  const lane = toText(request.lane);
  return firstAttemptBefore === undefined
    ? accepted.all(lane, acceptedBefore, lane, acceptedBefore, now, limit)
    : tried.all(lane, now, firstAttemptBefore, acceptedBefore, limit);
}
