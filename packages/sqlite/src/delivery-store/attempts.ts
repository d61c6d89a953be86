// The attempts of a delivery, one row each, numbered in the order in which they were recorded.

import { type AttemptRecord, type AttemptResult, endpointId, epochMs, type Fault, type Verdict } from "@postrider/core";
import { prepareBatch } from "../rows/batch.js";
import type { SqliteDatabase } from "../file/database.js";
import { readMaybeNumber, readNumber, readRows, readText, type Row } from "../rows/read-row.js";
import { toText } from "../rows/text.js";

/** The new attempts of one transaction. */
export interface NewAttempts {
  /** Adds attempts to a delivery that then has `total` of them. */
  add(delivery: number, attempts: readonly AttemptRecord[], total: number): void;
  write(): void;
}

const COLUMNS = ["delivery", "place", "round", "endpoint", "started_at", "duration_ms", "status", "fault", "verdict"];

export function prepareNewAttempts(database: SqliteDatabase): () => NewAttempts {
  const openRows = prepareBatch(
    database,
    COLUMNS.length,
    (values) => `insert into attempt (${COLUMNS.join(", ")}) ${values}`,
  );
  return () => {
    const rows = openRows();
    return {
      add: (delivery, attempts, total): void => {
        for (const [index, { round, endpoint, startedAt, durationMs, result, verdict }] of attempts.entries()) {
          const place = total - attempts.length + index + 1;
          const { status, fault } = columnsOf(result);
          rows.add([delivery, place, round, toText(endpoint), startedAt, durationMs, status, fault, verdict]);
        }
      },
      write: () => {
        rows.write();
      },
    };
  };
}

function columnsOf(result: AttemptResult): { readonly status: number | null; readonly fault: Fault | null } {
  switch (result.kind) {
    case "answered":
      return { status: result.status, fault: null };
    case "silent":
      return { status: null, fault: result.fault };
  }
}

const READ = `
  select round, endpoint, started_at, duration_ms, status, fault, verdict from attempt
  where delivery = ? order by started_at, endpoint, place`;

/** Reads the attempts of a delivery, sorted by start, then endpoint. */
export function prepareReadAttempts(database: SqliteDatabase): (delivery: number) => readonly AttemptRecord[] {
  const read = database.prepare(READ);
  return (delivery) => readRows(read.all(delivery)).map(readAttempt);
}

function readAttempt(row: Row): AttemptRecord {
  return {
    round: readNumber(row, "round"),
    endpoint: endpointId(readText(row, "endpoint")),
    startedAt: epochMs(readNumber(row, "started_at")),
    durationMs: readNumber(row, "duration_ms"),
    result: readResult(row),
    verdict: readText(row, "verdict") as Verdict,
  };
}

function readResult(row: Row): AttemptResult {
  const status = readMaybeNumber(row, "status");
  if (status !== undefined) return { kind: "answered", status };
  return { kind: "silent", fault: readText(row, "fault") as Fault };
}
