// Settles what a claim holds: only while it is claimed under the token of that claim, and so at most once. The one
// update that decides this is the fence; all else follows only if it changed its row.

import type { DeliveryState, DestinationId, EpochMs, Outcome, Settlement, SourceId } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { readNumber, readOnly, readRow, readText } from "../read-row.js";
import { toText } from "../text.js";
import { prepareAttempts } from "./attempts.js";
import { CLAIMED, rowOf, stateCode } from "./codes.js";
import { prepareEndpoints } from "./endpoints.js";
import type { Ledger } from "./ledger.js";

export type Settle = (settlement: Settlement, ledger: Ledger, now: EpochMs) => "settled" | "stale";

// The window starts with the first attempt that is recorded, and never again.
const SETTLE = `
  update delivery set state = ?, due_at = ?, finished_at = ?, reason = ?, detail = coalesce(?, detail),
    rounds = rounds + ?, first_attempt_at = coalesce(first_attempt_at, ?), attempt_count = attempt_count + ?,
    token = null
  where id = ? and state = ${String(CLAIMED)} and token = ?
  returning lane, message, attempt_count`;

export function prepareSettle(database: SqliteDatabase): Settle {
  const settle = database.prepare(SETTLE);
  const message = database.prepare("select source, coalesce(length(body), 0) as size from message where id = ?");
  const attempts = prepareAttempts(database);
  const endpoints = prepareEndpoints(database);

  return (settlement, ledger, now) => {
    const row = rowOf(settlement.id);
    if (row === undefined) return "stale";
    const rest = restOf(settlement.outcome, now);
    const settled = readRow(settle.get(...rest.columns, ...progress(settlement), row, toText(settlement.token)));
    if (settled === undefined) return "stale";

    const { source, size } = readUnit(message.get(readNumber(settled, "message")));
    ledger.move({ source, size, lane: readText(settled, "lane") as DestinationId }, "claimed", rest.state);
    attempts.add(row, settlement.attempts, readNumber(settled, "attempt_count"));
    if (settlement.outcome.kind !== "released") endpoints.replace(row, settlement.endpoints);
    return "settled";
  };
}

function readUnit(answer: unknown): { readonly source: SourceId; readonly size: number } {
  const row = readOnly(answer);
  return { source: readText(row, "source") as SourceId, size: readNumber(row, "size") };
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
