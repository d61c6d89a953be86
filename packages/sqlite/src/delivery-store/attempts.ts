// Stores and reads the attempts of a delivery, one row each in the order in which they were recorded, and the states of its
// endpoints, in the order of the settlement. An attempt that ends after the settlement is appended: it changes no state.

import {
  type AttemptRecord,
  type AttemptResult,
  endpointId,
  epochMs,
  type Fault,
  type Verdict,
  type Changes,
  type EndpointState,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import {
  prepareBatch,
  readMaybeNumber,
  readNumber,
  readRows,
  readText,
  type Row,
  readRow,
  readMaybeBytes,
  toText,
} from "../rows/rows.js";
import type { SqliteDatabase } from "../file/database.js";
import { rowOf } from "./codes.js";
import { prepareExcerpts } from "./erasable-tables.js";

/** The new attempts of one transaction. */
export interface NewAttempts {
  /** Adds attempts to a delivery that then has `total` of them. */
  add(delivery: number, attempts: readonly AttemptRecord[], total: number): void;
  write(): void;
}

const ATTEMPT_COLUMNS = [
  "delivery",
  "place",
  "round",
  "endpoint",
  "started_at",
  "duration_ms",
  "status",
  "fault",
  "verdict",
];

export function prepareNewAttempts(database: SqliteDatabase): () => NewAttempts {
  const openRows = prepareBatch(
    database,
    ATTEMPT_COLUMNS.length,
    (values) => `insert into attempt (${ATTEMPT_COLUMNS.join(", ")}) ${values}`,
  );
  return () => {
    const rows = openRows();
    return {
      add: (delivery, attempts, total): void => {
        for (const [index, { round, endpoint, startedAt, durationMs, result, verdict }] of attempts.entries()) {
          const place = total - attempts.length + index + 1;
          const { status, fault } = resultColumns(result);
          rows.add([delivery, place, round, toText(endpoint), startedAt, durationMs, status, fault, verdict]);
        }
      },
      write: () => {
        rows.write();
      },
    };
  };
}

function resultColumns(result: AttemptResult): { readonly status: number | null; readonly fault: Fault | null } {
  switch (result.kind) {
    case "answered":
      return { status: result.status, fault: null };
    case "silent":
      return { status: null, fault: result.fault };
  }
}

const SELECT_ATTEMPTS = `
  select round, endpoint, started_at, duration_ms, status, fault, verdict from attempt
  where delivery = ? order by started_at, endpoint, place`;

/** Reads the attempts of a delivery, sorted by start, then endpoint. */
export function prepareReadAttempts(database: SqliteDatabase): (delivery: number) => readonly AttemptRecord[] {
  const select = database.prepare(SELECT_ATTEMPTS);
  return (delivery) => readRows(select.all(delivery)).map(readAttempt);
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

type Append = (lateAttempt: Changes["append"][number], attempts: NewAttempts) => "appended" | "gone";

export function prepareAppend(database: SqliteDatabase): Append {
  const addOne = database.prepare(
    "update delivery set attempt_count = attempt_count + 1 where id = ? returning attempt_count",
  );
  return ({ id, attempt }, attempts) => {
    const row = rowOf(id);
    const updatedRow = row === undefined ? undefined : readRow(addOne.get(row));
    if (row === undefined || updatedRow === undefined) return "gone";
    attempts.add(row, [attempt], readNumber(updatedRow, "attempt_count"));
    return "appended";
  };
}

export interface EndpointStatements {
  replace(delivery: number, states: readonly EndpointState[]): void;
  /** Removes the states and excerpts of these deliveries. */
  remove(deliveries: readonly number[]): void;
  /** Removes the excerpts, and keeps the states. */
  removeExcerpts(delivery: number): void;
  read(delivery: number): readonly EndpointState[];
}

const INSERT_ENDPOINT = `
  insert into endpoint_state (delivery, place, endpoint, refused, refused_at, excerpt) values (?, ?, ?, ?, ?, ?)`;

const SELECT_ENDPOINTS = `
  select e.endpoint, e.refused, e.refused_at, e.excerpt, x.bytes from endpoint_state e left join excerpt x on x.id = e.excerpt
  where e.delivery = ? order by e.place`;

export function prepareEndpoints(database: SqliteDatabase): EndpointStatements {
  const remove = database.prepare("delete from endpoint_state where delivery = ? returning excerpt");
  const selectAny = database.prepare("select 1 as found from endpoint_state where delivery = ? limit 1");
  const insert = database.prepare(INSERT_ENDPOINT);
  const excerptsOf = database.prepare("select excerpt from endpoint_state where delivery = ?");
  const removeExcerpts = database.prepare("update endpoint_state set excerpt = null where delivery = ?");
  const select = database.prepare(SELECT_ENDPOINTS);
  const excerpts = prepareExcerpts(database);

  /**
   * Removes the states; returns the rows of their excerpts. First looks whether there are states, since most deliveries
   * have none.
   */
  function removeStates(delivery: number): readonly number[] {
    return readRow(selectAny.get(delivery)) === undefined ? [] : excerptRowsOf(remove.all(delivery));
  }

  return {
    replace: (delivery, states): void => {
      excerpts.wipe(removeStates(delivery));
      for (const [place, { endpoint, refused, refusedAt, excerpt }] of states.entries()) {
        const row = excerpt === undefined ? null : excerpts.add(delivery, place, excerpt);
        insert.run(delivery, place, toText(endpoint), refused ? 1 : 0, refusedAt ?? null, row);
      }
    },
    remove: (deliveries): void => {
      excerpts.wipe(deliveries.flatMap(removeStates));
    },
    removeExcerpts: (delivery): void => {
      const rows = excerptRowsOf(excerptsOf.all(delivery));
      if (rows.length === 0) return;
      removeExcerpts.run(delivery);
      excerpts.wipe(rows);
    },
    read: (delivery) => readRows(select.all(delivery)).map(readEndpoint),
  };
}

function excerptRowsOf(answers: readonly unknown[]): readonly number[] {
  return readRows(answers)
    .map((row) => readMaybeNumber(row, "excerpt"))
    .filter((row) => row !== undefined);
}

function readEndpoint(row: Row): EndpointState {
  const refusedAt = readMaybeNumber(row, "refused_at");
  const excerpt = readMaybeNumber(row, "excerpt") === undefined ? undefined : readMaybeBytes(row, "bytes");
  return {
    endpoint: endpointId(readText(row, "endpoint")),
    refused: readNumber(row, "refused") === 1,
    ...defined({ refusedAt: refusedAt === undefined ? undefined : epochMs(refusedAt), excerpt }),
  };
}
