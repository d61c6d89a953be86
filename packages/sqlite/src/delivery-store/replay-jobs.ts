// The replay jobs of a SQLite delivery store: each record is JSON with a checksum, since it decides what is sent again.

import { createStoreError, type ReplayJob, type ReplayJobId, type ReplayJobStore } from "@postrider/core";
import type { StoreConnection } from "../file/connection.js";
import type { SqliteDatabase } from "../file/database.js";
import { textsSum } from "../rows/checksum.js";
import { readNumber, readPlainText, readRow, readRows, type Row } from "../rows/read-row.js";
import { toText } from "../rows/text.js";
import type { Write } from "./deletions/create-deletions.js";

export type ReplayJobStatements = ReturnType<typeof prepareReplayJobs>;

const SELECT = "select id, record, checksum from replay_job";

export function prepareReplayJobs(database: SqliteDatabase) {
  const insert = database.prepare(
    `insert into replay_job (id, revision, is_running, created_at, record, checksum) values (?, ?, ?, ?, ?, ?)
     on conflict do nothing`,
  );
  const update = database.prepare(
    "update replay_job set revision = ?, is_running = ?, record = ?, checksum = ? where id = ? and revision = ?",
  );
  const select = database.prepare(`${SELECT} where id = ?`);
  const selectAll = database.prepare(`${SELECT} where is_running >= ? order by created_at desc`);
  const remove = database.prepare("delete from replay_job where id = ?");
  return {
    create: (job: ReplayJob): boolean => {
      const { id, text, sum } = written(job);
      return Number(insert.run(id, job.revision, isRunning(job), job.createdAt, text, sum).changes) === 1;
    },
    replace: (job: ReplayJob): boolean => {
      const { id, text, sum } = written(job);
      return Number(update.run(job.revision, isRunning(job), text, sum, id, job.revision - 1).changes) === 1;
    },
    find: (id: ReplayJobId): ReplayJob | undefined => {
      const row = readRow(select.get(toText(id)));
      return row === undefined ? undefined : readJob(row);
    },
    list: ({ running = false }: Parameters<ReplayJobStore["list"]>[0]): readonly ReplayJob[] =>
      readRows(selectAll.all(running ? 1 : 0)).map(readJob),
    remove: (id: ReplayJobId): void => void remove.run(toText(id)),
  };
}

function isRunning({ state }: ReplayJob): number {
  return state === "running" ? 1 : 0;
}

/** The columns of a record. The sum covers the id, so that a record in the row of another job is detected. */
function written(job: ReplayJob): { readonly id: string; readonly text: string; readonly sum: number } {
  const [id, text] = [toText(job.id), JSON.stringify(job)];
  return { id, text, sum: textsSum([id, text]) };
}

function readJob(row: Row): ReplayJob {
  const text = readPlainText(row, "record");
  if (readNumber(row, "checksum") !== textsSum([readPlainText(row, "id"), text]))
    throw createStoreError("corrupt", "SQLite: a replay job is not what was stored");
  return JSON.parse(text) as ReplayJob;
}

export function createSqliteReplayJobs(
  statements: ReplayJobStatements,
  connection: StoreConnection,
  write: Write,
): ReplayJobStore {
  return {
    create: (job) => write(() => statements.create(job)),
    replace: (job) => write(() => statements.replace(job)),
    find: (id) => connection.read(() => statements.find(id)),
    list: (query) => connection.read(() => statements.list(query)),
    remove: (id) =>
      write(() => {
        statements.remove(id);
      }),
  };
}
