// Settles claimed deliveries, only under the token of the claim and therefore at most once. Rows are read under the write lock, so
// nothing changes between reading and writing. A delivery whose data is purged, or is to be, may still become delivered, but does not
// wait for another round, and stores no excerpts.

import {
  type DeadReason,
  type DeliveryState,
  type EndpointState,
  type EpochMs,
  type LeaseToken,
  type Outcome,
  type SettleResult,
  type Settlement,
  type DeletionId,
  destinationId,
  sourceId,
} from "@postrider/core";
import {
  type RowBatch,
  prepareBatch,
  toTextOrNull,
  toText,
  readMaybeNumber,
  readMaybeText,
  readNumber,
  readSingleRow,
  readPlainText,
  readText,
  type Row,
} from "../rows/rows.js";
import type { SqliteDatabase } from "../file/database.js";
import { type NewAttempts, type EndpointStatements, prepareEndpoints } from "./attempts.js";
import { rowOf, stateCode, CLAIMED, type CountedFields } from "./codes.js";
import type { Transaction } from "./transaction.js";

interface SettleTransaction extends Transaction {
  readonly newAttempts: NewAttempts;
}

type SettleAll = (
  settlements: readonly Settlement[],
  settling: SettleTransaction,
  now: EpochMs,
) => readonly SettleResult[];

/**
 * The number of columns of a row of values: id, state, due_at, finished_at, reason, detail, rounds to add, first attempt, attempts to
 * add, remembers.
 */
const SETTLED_COLUMNS = 10;

// Only the first attempt that is recorded starts the window.
const SETTLE = (values: string): string => `
  update delivery set state = v.column2, due_at = v.column3, finished_at = v.column4, reason = v.column5,
    detail = coalesce(v.column6, detail), rounds = rounds + v.column7,
    first_attempt_at = coalesce(first_attempt_at, v.column8), attempt_count = attempt_count + v.column9,
    remembers = v.column10, token = null
  from (${values}) v where delivery.id = v.column1`;

export function prepareSettleAll(database: SqliteDatabase): SettleAll {
  const readClaimedRows = prepareReadClaimedRows(database);
  const openRows = prepareBatch(database, SETTLED_COLUMNS, SETTLE);
  const endpoints = prepareEndpoints(database);

  return (settlements, settling, now) => {
    const rowsByToken = new Map<LeaseToken, Map<number, ClaimedRow>>();
    for (const [token, ids] of byToken(settlements)) rowsByToken.set(token, readClaimedRows(ids, token));
    const rows = openRows();
    const settled = settlements.map((settlement): SettleResult => {
      const row = rowOf(settlement.id);
      const claimedRows = rowsByToken.get(settlement.token);
      const delivery = row === undefined ? undefined : claimedRows?.get(row);
      if (row === undefined || delivery === undefined) return "stale";
      // A second settlement of the same delivery in this commit is stale.
      claimedRows?.delete(row);
      return settle({ row, delivery, settlement, endpoints, rows }, settling, now);
    });
    rows.write();
    return settled;
  };
}

/** The rows that are to be settled under each token. */
function byToken(settlements: readonly Settlement[]): ReadonlyMap<LeaseToken, readonly number[]> {
  const rows = new Map<LeaseToken, number[]>();
  for (const { id, token } of settlements) {
    const row = rowOf(id);
    const existing = rows.get(token);
    if (existing === undefined) rows.set(token, row === undefined ? [] : [row]);
    else if (row !== undefined) existing.push(row);
  }
  return rows;
}

interface SettlementOfRow {
  readonly row: number;
  readonly delivery: ClaimedRow;
  readonly settlement: Settlement;
  readonly endpoints: EndpointStatements;
  readonly rows: RowBatch;
}

function settle(
  { row, delivery, settlement, endpoints, rows }: SettlementOfRow,
  { deltas, erasure, newAttempts }: SettleTransaction,
  now: EpochMs,
): SettleResult {
  const { attempts, outcome } = settlement;
  const target = nextStateOf(outcome, now);
  const mustForget = delivery.isWiped || erasure.isCovered(row, delivery.message);
  const isPurged = mustForget && target.state !== "delivered";
  const { state, dueAt, finishedAt, reason } = isPurged ? purgedAt(now) : target;
  const states = mustForget ? settlement.endpoints.map(withoutExcerpt) : settlement.endpoints;
  const replacesStates = outcome.kind !== "released";
  const remembers = replacesStates ? states.length > 0 : delivery.remembers;
  const rounds = attempts.length === 0 ? 0 : 1;

  deltas.move(delivery.counted, "claimed", state);
  newAttempts.add(row, attempts, delivery.attemptCount + attempts.length);
  if (replacesStates && (delivery.remembers || remembers)) endpoints.replace(row, states);
  const progress = [rounds, firstStart(attempts), attempts.length, remembers ? 1 : 0] as const;
  rows.add([row, stateCode(state), dueAt, finishedAt, reason, detailOf(outcome), ...progress]);
  return isPurged ? "purged" : "settled";
}

function withoutExcerpt({ excerpt: _, ...state }: EndpointState): EndpointState {
  return state;
}

interface NextState {
  readonly state: DeliveryState;
  readonly dueAt: EpochMs | null;
  readonly finishedAt: EpochMs | null;
  readonly reason: DeadReason | null;
}

function nextStateOf(outcome: Outcome, now: EpochMs): NextState {
  switch (outcome.kind) {
    case "delivered":
      return { state: "delivered", dueAt: null, finishedAt: now, reason: null };
    case "dead":
      return { state: "dead", dueAt: null, finishedAt: now, reason: outcome.reason };
    case "rescheduled":
    case "released":
      return { state: "waiting", dueAt: outcome.dueAt, finishedAt: null, reason: null };
  }
}

function purgedAt(now: EpochMs): NextState {
  return { state: "dead", dueAt: null, finishedAt: now, reason: "purged" };
}

function detailOf(outcome: Outcome): string | null {
  return "detail" in outcome ? toTextOrNull(outcome.detail) : null;
}

function firstStart(attempts: Settlement["attempts"]): EpochMs | null {
  return attempts.reduce<EpochMs | null>(
    (first, { startedAt }) => (first === null || startedAt < first ? startedAt : first),
    null,
  );
}

interface ClaimedRow {
  readonly counted: CountedFields;
  readonly message: number;
  readonly attemptCount: number;
  /** True if states of the delivery's endpoints are stored. */
  readonly remembers: boolean;
  /** True if the body has been purged. */
  readonly isWiped: boolean;
}

const CLAIMED_COLUMNS = ["id", "source", "lane", "size", "deletion", "message", "attempt_count", "remembers"] as const;

/** Selects the claimed rows of a token. Exported for the test of its query plan. */
export const SELECT_CLAIMED_ROWS: string = `
  select json_group_array(json_array(${CLAIMED_COLUMNS.join(", ")})) as rows from delivery
  where id in (select value from json_each(?)) and state = ${String(CLAIMED)} and token = ?`;

/** Returns a function that reads those of the rows that are claimed under the token. */
function prepareReadClaimedRows(
  database: SqliteDatabase,
): (rows: readonly number[], token: LeaseToken) => Map<number, ClaimedRow> {
  const select = database.prepare(SELECT_CLAIMED_ROWS);
  return (rows, token) => {
    const json = readPlainText(readSingleRow(select.get(JSON.stringify(rows), toText(token))), "rows");
    return new Map(
      (JSON.parse(json) as readonly unknown[][]).map(toRow).map((row) => [readNumber(row, "id"), readClaimedRow(row)]),
    );
  };
}

/** Makes a row out of a JSON list of the values of `CLAIMED_COLUMNS`. */
function toRow(values: readonly unknown[]): Row {
  const [id, source, lane, size, deletion, message, attempts, remembers] = values;
  return { id, source, lane, size, deletion, message, attempt_count: attempts, remembers };
}

function readClaimedRow(row: Row): ClaimedRow {
  const size = readMaybeNumber(row, "size");
  return {
    counted: {
      source: sourceId(readText(row, "source")),
      lane: destinationId(readText(row, "lane")),
      size: size ?? 0,
      deletion: readMaybeText(row, "deletion") as DeletionId | undefined,
    },
    message: readNumber(row, "message"),
    attemptCount: readNumber(row, "attempt_count"),
    remembers: readNumber(row, "remembers") === 1,
    isWiped: size === undefined,
  };
}
