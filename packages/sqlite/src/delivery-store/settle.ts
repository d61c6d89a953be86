// Settles what a claim holds: only while it is claimed under the token of that claim, and so at most once. The one
// update that decides this is the fence; all else follows only if it changed its row. What has come out of reach meanwhile
// may be delivered, but not wait for another round, and keeps no answers of receivers.

import type {
  DeliveryState,
  DestinationId,
  EndpointState,
  EpochMs,
  Outcome,
  Settled,
  Settlement,
} from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { readNumber, readOnly, readRow, readText, type Row } from "../read-row.js";
import { toText } from "../text.js";
import { prepareAttempts } from "./attempts.js";
import { CLAIMED, rowOf, stateCode } from "./codes.js";
import { prepareBury } from "./deletions/bury.js";
import { prepareEndpoints } from "./endpoints.js";
import type { Unit } from "./unit.js";
import { readUnit, UNIT } from "./read-unit.js";
import type { Transaction } from "./transaction.js";

export type Settle = (settlement: Settlement, transaction: Transaction, now: EpochMs) => Settled;

// The window starts with the first attempt that is recorded, and never again.
const SETTLE = `
  update delivery set state = ?, due_at = ?, finished_at = ?, reason = ?, detail = coalesce(?, detail),
    rounds = rounds + ?, first_attempt_at = coalesce(first_attempt_at, ?), attempt_count = attempt_count + ?,
    token = null
  where id = ? and state = ${String(CLAIMED)} and token = ?
  returning lane, message, attempt_count`;

export function prepareSettle(database: SqliteDatabase): Settle {
  const settle = database.prepare(SETTLE);
  const message = database.prepare(`select ${UNIT} from message m where m.id = ?`);
  const bury = prepareBury(database);
  const attempts = prepareAttempts(database);
  const endpoints = prepareEndpoints(database);

  return (settlement, { ledger, reach }, now) => {
    const row = rowOf(settlement.id);
    if (row === undefined) return "stale";
    const rest = restOf(settlement.outcome, now);
    const settled = readRow(settle.get(...rest.columns, ...progress(settlement), row, toText(settlement.token)));
    if (settled === undefined) return "stale";

    const messageRow = readNumber(settled, "message");
    const about = readOnly(message.get(messageRow));
    const isGone = reach.isLost(row, messageRow, about);
    const isPurged = isGone && rest.state !== "delivered";
    if (isPurged) bury(row, now);
    ledger.move(unitOf(settled, about), "claimed", isPurged ? "dead" : rest.state);
    attempts.add(row, settlement.attempts, readNumber(settled, "attempt_count"));
    const states = isGone ? settlement.endpoints.map(withoutExcerpt) : settlement.endpoints;
    if (settlement.outcome.kind !== "released") endpoints.replace(row, states);
    return isPurged ? "purged" : "settled";
  };
}

function unitOf(settled: Row, about: Row): Unit {
  return readUnit(about, readText(settled, "lane") as DestinationId);
}

function withoutExcerpt({ endpoint, refused }: EndpointState): EndpointState {
  return { endpoint, refused };
}

interface Rest {
  readonly state: DeliveryState;
  /** state, due_at, finished_at, reason, detail */
  readonly columns: readonly (number | string | null)[];
}

function restOf(outcome: Outcome, now: EpochMs): Rest {
  const detail = "detail" in outcome ? toText(outcome.detail) : null;
  switch (outcome.kind) {
    case "delivered":
      return { state: "delivered", columns: [stateCode("delivered"), null, now, null, detail] };
    case "dead":
      return { state: "dead", columns: [stateCode("dead"), null, now, outcome.reason, detail] };
    case "rescheduled":
    case "released":
      return { state: "waiting", columns: [stateCode("waiting"), outcome.dueAt, null, null, detail] };
  }
}

/** Rounds, the first start and attempts, as the statement adds them. */
function progress({ attempts }: Settlement): readonly (number | null)[] {
  if (attempts.length === 0) return [0, null, 0];
  return [1, Math.min(...attempts.map((attempt) => attempt.startedAt)), attempts.length];
}
