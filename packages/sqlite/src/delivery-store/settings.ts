// The settings of a SQLite delivery store: a row for each revision, with a checksum, since they decide what is sent where. The
// number of a revision is the key of its row, so that looking for a higher one reads no document.

import {
  createStoreError,
  epochMs,
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
import { textsSum } from "../rows/checksum.js";
import {
  readMaybeText,
  readNumber,
  readPlainText,
  readRow,
  readRows,
  readSingleRow,
  type Row,
} from "../rows/read-row.js";
import { toTextOrNull } from "../rows/text.js";
import type { Write } from "./deletions/create-deletions.js";

export type SettingsStatements = ReturnType<typeof prepareSettings>;

const COLUMNS = "revision, changed_at, actor, document, checksum";

/** The latest revision, if it is higher than the one that is given. */
export const SELECT_LATEST: string = `select ${COLUMNS} from settings_revision where revision > ? order by revision desc limit 1`;
export const SELECT_LAST_REVISION = "select coalesce(max(revision), 0) as last from settings_revision";
export const DELETE_OLD = "delete from settings_revision where revision <= ?";

export function prepareSettings(database: SqliteDatabase) {
  const last = database.prepare(SELECT_LAST_REVISION);
  const insert = database.prepare(`insert into settings_revision (${COLUMNS}) values (?, ?, ?, ?, ?)`);
  const removeOld = database.prepare(DELETE_OLD);
  const latest = database.prepare(SELECT_LATEST);
  const find = database.prepare(`select ${COLUMNS} from settings_revision where revision = ?`);
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
