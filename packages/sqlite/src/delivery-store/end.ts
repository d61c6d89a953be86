// Ends deliveries of a lane that nobody may claim: those that wait, and those whose lease has ended.

import type { EndRequest, EpochMs, SourceId } from "@postrider/core";
import type { SqliteDatabase, SqliteStatement } from "../database.js";
import { readNumber, readRows, readText } from "../read-row.js";
import { toText } from "../text.js";
import { CLAIMED, readState, stateCode, WAITING } from "./codes.js";
import type { Ledger } from "./ledger.js";

export type End = (request: EndRequest, ledger: Ledger, now: EpochMs) => number;

const FREE = `d.lane = ? and d.due_at is not null
  and (d.state = ${String(WAITING)} or (d.state = ${String(CLAIMED)} and d.due_at <= ?))`;

/** Exported for the test that looks at their plans. */
export const ENDING: Readonly<Record<"tried" | "any", string>> = {
  tried: selectEnding(`${FREE} and d.first_attempt_at < ? and d.accepted_at < ?`),
  any: selectEnding(`${FREE} and d.accepted_at < ?`),
};

const END = `
  update delivery set state = ${String(stateCode("dead"))}, reason = ?, finished_at = ?, due_at = null, token = null
  where id = ?`;

export function prepareEnd(database: SqliteDatabase): End {
  const tried = database.prepare(ENDING.tried);
  const any = database.prepare(ENDING.any);
  const end = database.prepare(END);
  return (request, ledger, now) => {
    const { lane, reason } = request;
    const rows = readRows(selected({ tried, any }, request, now));
    for (const row of rows) {
      end.run(reason, now, readNumber(row, "id"));
      const unit = { source: readText(row, "source") as SourceId, lane, size: readNumber(row, "size") };
      ledger.move(unit, readState(row), "dead");
    }
    return rows.length;
  };
}

function selectEnding(condition: string): string {
  return `select d.id, d.state, m.source, coalesce(length(m.body), 0) as size
    from delivery d join message m on m.id = d.message where ${condition} limit ?`;
}

type Statements = Readonly<Record<keyof typeof ENDING, SqliteStatement>>;

function selected({ tried, any }: Statements, request: EndRequest, now: EpochMs): readonly unknown[] {
  const { lane, firstAttemptBefore, acceptedBefore = Number.MAX_SAFE_INTEGER, limit } = request;
  return firstAttemptBefore === undefined
    ? any.all(toText(lane), now, acceptedBefore, limit)
    : tried.all(toText(lane), now, firstAttemptBefore, acceptedBefore, limit);
}
