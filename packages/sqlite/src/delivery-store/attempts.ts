// The attempts of a delivery, a row each, numbered in the order in which they were recorded.

import type { AttemptRecord, AttemptResult, EndpointId, EpochMs, Fault, Verdict } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { readMaybeNumber, readNumber, readRows, readText, type Row } from "../read-row.js";
import { toText } from "../text.js";

export interface Attempts {
  /** Adds attempts to a delivery that then has `total` of them. */
  add(delivery: number, attempts: readonly AttemptRecord[], total: number): void;
  /** By start, then endpoint. */
  read(delivery: number): readonly AttemptRecord[];
}

const INSERT = `
  insert into attempt (delivery, place, round, endpoint, started_at, duration_ms, status, fault, verdict)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const READ = `
  select round, endpoint, started_at, duration_ms, status, fault, verdict from attempt
  where delivery = ? order by started_at, endpoint, place`;

export function prepareAttempts(database: SqliteDatabase): Attempts {
  const insert = database.prepare(INSERT);
  const read = database.prepare(READ);
  return {
    add: (delivery, attempts, total): void => {
      for (const [index, { round, endpoint, startedAt, durationMs, result, verdict }] of attempts.entries()) {
        const place = total - attempts.length + index + 1;
        const { status, fault } = columnsOf(result);
        insert.run(delivery, place, round, toText(endpoint), startedAt, durationMs, status, fault, verdict);
      }
    },
    read: (delivery) => readRows(read.all(delivery)).map(readAttempt),
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

function readAttempt(row: Row): AttemptRecord {
  return {
    round: readNumber(row, "round"),
    endpoint: readText(row, "endpoint") as EndpointId,
    startedAt: readNumber(row, "started_at") as EpochMs,
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
