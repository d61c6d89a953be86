// Ends deliveries of a lane, brings them forward, and removes finished deliveries that are older than their retention. Each query uses an
// index, so that its time does not grow with the other deliveries. The log is emptied once notices were swept: they are the last rows
// that name a deleted user, and their old pages would stay in the file until the next checkpoint (decision: erasure).

import type { EndRequest, EpochMs, PullInRequest, DeliveryState, SweepRequest } from "@postrider/core";
import type { SqliteDatabase, SqliteStatement } from "../file/database.js";
import { readNumber, readRows, toText } from "../rows/rows.js";
import { CLAIMED, readState, stateCode, WAITING, readCounted, COUNTED_COLUMNS } from "./codes.js";
import { prepareLapses } from "./claim.js";
import type { Transaction } from "./transaction.js";
import { prepareEndpoints } from "./attempts.js";
import { prepareMessages } from "./erasable-tables.js";
import type { StoreConnection } from "../file/connection.js";

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
    byFirstAttempt: database.prepare(SELECT_BY_FIRST_ATTEMPT),
    byAcceptedAt: database.prepare(SELECT_BY_ACCEPTED_AT),
  };
  const end = database.prepare(END);
  const lapses = prepareLapses(database);
  return (request, { deltas, erasure }, now) => {
    const { lane, reason, detail = null } = request;
    const rows = readRows(select(statements, request, now));
    for (const row of rows) {
      const id = readNumber(row, "id");
      const isPurged = erasure.mustForget(id, readNumber(row, "message"), row);
      lapses.note(row, now);
      end.run(isPurged ? "purged" : reason, isPurged ? null : detail, now, id);
      deltas.move(readCounted(row, lane), readState(row), "dead");
    }
    return rows.length;
  };
}

interface Statements {
  readonly byFirstAttempt: SqliteStatement;
  readonly byAcceptedAt: SqliteStatement;
}

function select({ byFirstAttempt, byAcceptedAt }: Statements, request: EndRequest, now: EpochMs): readonly unknown[] {
  const { firstAttemptBefore, acceptedBefore = Number.MAX_SAFE_INTEGER, limit } = request;
  const lane = toText(request.lane);
  return firstAttemptBefore === undefined
    ? byAcceptedAt.all(lane, acceptedBefore, lane, acceptedBefore, now, limit)
    : byFirstAttempt.all(lane, now, firstAttemptBefore, acceptedBefore, limit);
}

/**
 * Parameters: due at, lane, 1 for deliveries tried before or 0 for those never tried, due after, limit. Exported for
 * the test of its query plan.
 */
export const UPDATE_DUE_AT = `
  update delivery set due_at = ? where id in (
    select id from delivery indexed by delivery_due where lane = ? and (rounds > 0) = ? and due_at > ? limit ?)`;

export function preparePullIn(database: SqliteDatabase): (request: PullInRequest) => number {
  const updateDueAt = database.prepare(UPDATE_DUE_AT);
  return ({ lane, dueAfter, dueAt, limit }) => {
    const pullInKind = (kind: 0 | 1, maxRows: number): number =>
      Number(updateDueAt.run(dueAt, toText(lane), kind, dueAfter, maxRows).changes);
    const untriedCount = pullInKind(0, limit);
    return untriedCount + pullInKind(1, limit - untriedCount);
  };
}

/** Exported for the test of its query plan. */
export const SELECT_SWEEPABLE: string = `
  select d.id, d.message, m.deletion is not null as is_notice
  from delivery d indexed by delivery_finished left join message m on m.id = d.message
  where d.state = ? and d.finished_at < ? order by d.finished_at limit ?`;

interface SweepResult {
  readonly deliveries: number;
  /** True if any of these deliveries was the delivery of a notice. */
  readonly hasNotices: boolean;
}

export function prepareSweep(database: SqliteDatabase): (request: SweepRequest) => SweepResult {
  const sweepable = database.prepare(SELECT_SWEEPABLE);
  const removeAttempts = database.prepare("delete from attempt where delivery = ?");
  const removeDelivery = database.prepare("delete from delivery where id = ?");
  const endpoints = prepareEndpoints(database);
  const lapses = prepareLapses(database);
  const messages = prepareMessages(database);

  function sweepFinished(state: DeliveryState, before: number, limit: number): SweepResult {
    const rows = readRows(sweepable.all(stateCode(state), before, limit));
    const deliveries = rows.map((row) => readNumber(row, "id"));
    for (const delivery of deliveries) {
      removeAttempts.run(delivery);
      removeDelivery.run(delivery);
    }
    endpoints.remove(deliveries);
    lapses.remove(deliveries);
    messages.release(new Set(rows.map((row) => readNumber(row, "message"))));
    return { deliveries: rows.length, hasNotices: rows.some((row) => readNumber(row, "is_notice") === 1) };
  }

  return ({ deliveredBefore, deadBefore, limit }) => {
    const delivered = sweepFinished("delivered", deliveredBefore, limit);
    const dead = sweepFinished("dead", deadBefore, limit - delivered.deliveries);
    return {
      deliveries: delivered.deliveries + dead.deliveries,
      hasNotices: delivered.hasNotices || dead.hasNotices,
    };
  };
}

/**
 * Returns a function that sweeps one slice with `sweep`, and returns the number of removed deliveries. After the last slice it empties
 * the log, if that is due.
 */
export function createSweepAndEmptyLog(
  { emptyLog }: Pick<StoreConnection, "emptyLog">,
  sweep: (request: SweepRequest) => Promise<SweepResult>,
): (request: SweepRequest) => Promise<number> {
  /** True at the start: an earlier process may have died after sweeping and before emptying the log. */
  let isLogToEmpty = true;

  return async (request) => {
    const { deliveries, hasNotices } = await sweep(request);
    isLogToEmpty ||= hasNotices;
    const isLastSlice = deliveries < request.limit;
    if (isLogToEmpty && isLastSlice) isLogToEmpty = !(await emptyLog());
    return deliveries;
  };
}
