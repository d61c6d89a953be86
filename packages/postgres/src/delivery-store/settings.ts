// The settings of a store: a row for each revision, with a checksum, since they decide what is sent where. The number of a revision is
// the key of its row, so that looking for a higher one reads no document. Revisions are whole numbers; an editor who expects another
// number expects a wrong one, which is no error.

import { createHash } from "node:crypto";
import {
  createStoreError,
  epochMs,
  MAX_SETTINGS_HISTORY,
  type SettingsChange,
  type SettingsRevision,
  type SettingsStore,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { readBytes, readDigits, readFlag, readOptionalText, type TextRow } from "../wire/read-row.js";
import { encodeAnyText } from "../wire/text.js";
import type { Functions } from "./commit.js";

/** The settings of a store. */
export function createPostgresSettings({ connection, schema, timeFor }: Functions): SettingsStore {
  const table = `${schema}.settings_revision`;
  const whole = `select revision, changed_at, actor, document, checksum from ${table}`;

  async function first(sql: string, value: number): Promise<SettingsRevision | undefined> {
    const [row] = await connection.ask(sql, [value]);
    return row && readRevision(row);
  }

  return {
    put: async ({ expect, document, actor }, now) => {
      const author = actor === undefined ? null : encodeAnyText(actor);
      const [row = {}] = await connection.ask(`select * from ${schema}.put_settings($1, $2, $3, $4, $5)`, [
        ...[timeFor(now), wholeOrNone(expect), author, Buffer.from(document), MAX_SETTINGS_HISTORY],
      ]);
      return { kind: readFlag(row, "is_stored") ? "stored" : "stale", revision: readDigits(row, "revision") };
    },
    latest: (above) => first(`${whole} where revision > $1 order by revision desc limit 1`, Math.floor(above)),
    find: (revision) => first(`${whole} where revision = $1`, wholeOrNone(revision)),
    history: async () => {
      const rows = await connection.brief(`select revision, changed_at, actor from ${table} order by revision desc`);
      return rows.map(readChange);
    },
  };
}

/** The number of a revision, or one that no revision has: the database refuses to read fractions as whole numbers. */
function wholeOrNone(revision: number): number {
  return Number.isSafeInteger(revision) ? revision : -1;
}

function readRevision(row: TextRow): SettingsRevision {
  const document = readBytes(row, "document");
  if (!createHash("sha256").update(document).digest().equals(readBytes(row, "checksum")))
    throw createStoreError("corrupt", "PostgreSQL: settings are not what was stored");
  return { ...readChange(row), document: document.toString("utf8") };
}

function readChange(row: TextRow): SettingsChange {
  return {
    revision: readDigits(row, "revision"),
    changedAt: epochMs(readDigits(row, "changed_at")),
    ...defined({ actor: readOptionalText(row, "actor") }),
  };
}
