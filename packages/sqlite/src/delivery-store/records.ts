// The small records of a delivery store: pauses of lanes, replay jobs, and the settings. Jobs and settings have checksums, since they
// decide what is sent where. The number of a revision of the settings is the key of its row, so that looking for a higher one reads
// no document.

import {
  type DestinationId,
  destinationId,
  epochMs,
  type LanePause,
  type PauseStore,
  createStoreError,
  type ReplayJob,
  type ReplayJobId,
  type ReplayJobStore,
  MAX_SETTINGS_HISTORY,
  type SettingsChange,
  type SettingsEdit,
  type SettingsPutResult,
  type SettingsRevision,
  type SettingsStore,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { StoreConnection } from "../file/connection.js";
import type { SqliteDatabase } from "../file/database.js";
import {
  readNumber,
  readRows,
  readText,
  readPlainText,
  readRow,
  type Row,
  readMaybeText,
  readSingleRow,
  toText,
  toTextOrNull,
  textsSum,
} from "../rows/rows.js";
import type { Write } from "./transaction.js";

export type PauseStatements = ReturnType<typeof preparePauses>;

export function preparePauses(database: SqliteDatabase) {
  const add = database.prepare("insert into lane_pause values (?, ?) on conflict do nothing");
  const remove = database.prepare("delete from lane_pause where lane = ?");
  const list = database.prepare("select lane, paused_at from lane_pause where lane > ? order by lane limit ?");
  return {
    add: (...[lane, now]: Parameters<PauseStore["add"]>): void => void add.run(toText(lane), now),
    remove: (lane: DestinationId): void => void remove.run(toText(lane)),
    list: ({ after, limit }: Parameters<PauseStore["list"]>[0]): readonly LanePause[] =>
      readRows(list.all(after === undefined ? "" : toText(after), limit)).map((row) => ({
        lane: destinationId(readText(row, "lane")),
        pausedAt: epochMs(readNumber(row, "paused_at")),
      })),
  };
}

export function createSqlitePauses(statements: PauseStatements, connection: StoreConnection, write: Write): PauseStore {
  return {
    add: (lane, now) =>
      write(() => {
        statements.add(lane, now);
      }),
    remove: (lane) =>
      write(() => {
        statements.remove(lane);
      }),
    list: (query) => connection.read(() => statements.list(query)),
  };
}

export type ReplayJobStatements = ReturnType<typeof prepareReplayJobs>;

const SELECT_JOB = "select id, record, checksum from replay_job";

export function prepareReplayJobs(database: SqliteDatabase) {
  const insert = database.prepare(
    `insert into replay_job (id, revision, is_running, created_at, record, checksum) values (?, ?, ?, ?, ?, ?)
     on conflict do nothing`,
  );
  const update = database.prepare(
    "update replay_job set revision = ?, is_running = ?, record = ?, checksum = ? where id = ? and revision = ?",
  );
  const select = database.prepare(`${SELECT_JOB} where id = ?`);
  const selectAll = database.prepare(`${SELECT_JOB} where is_running >= ? order by created_at desc`);
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

export type SettingsStatements = ReturnType<typeof prepareSettings>;

const SETTINGS_COLUMNS = "revision, changed_at, actor, document, checksum";

/** The latest revision, if it is higher than the one that is given. */
export const SELECT_LATEST: string = `select ${SETTINGS_COLUMNS} from settings_revision where revision > ? order by revision desc limit 1`;

export const SELECT_LAST_REVISION = "select coalesce(max(revision), 0) as last from settings_revision";
export const DELETE_OLD = "delete from settings_revision where revision <= ?";

export function prepareSettings(database: SqliteDatabase) {
  const last = database.prepare(SELECT_LAST_REVISION);
  const insert = database.prepare(`insert into settings_revision (${SETTINGS_COLUMNS}) values (?, ?, ?, ?, ?)`);
  const removeOld = database.prepare(DELETE_OLD);
  const latest = database.prepare(SELECT_LATEST);
  const find = database.prepare(`select ${SETTINGS_COLUMNS} from settings_revision where revision = ?`);
  const all = database.prepare("select revision, changed_at, actor from settings_revision order by revision desc");
  return {
    put: ({ expect, document, actor }: SettingsEdit, now: number): SettingsPutResult => {
      const before = readNumber(readSingleRow(last.get()), "last");
      if (expect !== before) return { kind: "stale", revision: before };
      const revision = before + 1;
      const author = toTextOrNull(actor);
      insert.run(revision, now, author, document, textsSum([String(revision), String(now), author ?? "", document]));
      removeOld.run(revision - MAX_SETTINGS_HISTORY);
      return { kind: "stored", revision };
    },
    latest: (above: number): SettingsRevision | undefined => readRevision(readRow(latest.get(above))),
    find: (revision: number): SettingsRevision | undefined => readRevision(readRow(find.get(revision))),
    history: (): readonly SettingsChange[] => readRows(all.all()).map(readChange),
  };
}

function readRevision(row: Row | undefined): SettingsRevision | undefined {
  if (row === undefined) return undefined;
  const [change, document] = [readChange(row), readPlainText(row, "document")];
  const author = row["actor"] === null ? "" : readPlainText(row, "actor");
  const sum = textsSum([String(change.revision), String(change.changedAt), author, document]);
  if (readNumber(row, "checksum") !== sum)
    throw createStoreError("corrupt", "SQLite: settings are not what was stored");
  return { ...change, document };
}

function readChange(row: Row): SettingsChange {
  const [revision, changedAt] = [readNumber(row, "revision"), epochMs(readNumber(row, "changed_at"))];
  return { revision, changedAt, ...defined({ actor: readMaybeText(row, "actor") }) };
}

export function createSqliteSettings(
  statements: SettingsStatements,
  connection: StoreConnection,
  write: Write,
): SettingsStore {
  return {
    put: (edit, now) => write(() => statements.put(edit, now)),
    latest: (above) => connection.read(() => statements.latest(above)),
    find: (revision) => connection.read(() => statements.find(revision)),
    history: () => connection.read(() => statements.history()),
  };
}
