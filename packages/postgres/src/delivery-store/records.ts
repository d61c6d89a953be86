// Small records, each method one statement: the pauses of operators, replay jobs as JSON, and the settings, a row for each revision with
// a checksum, since they decide what is sent where; and the outbox of calls that hosts make in their own transactions. JSON, since a
// text of PostgreSQL cannot have U+0000 nor lone surrogates.

import {
  destinationId,
  epochMs,
  type PauseStore,
  type ReplayJob,
  type ReplayJobId,
  type ReplayJobStore,
  createStoreError,
  MAX_SETTINGS_HISTORY,
  type SettingsChange,
  type SettingsRevision,
  type SettingsStore,
  type Outbox,
  type SourceId,
  sourceId,
} from "@postrider/core";
import { createHash } from "node:crypto";
import { defined } from "@postrider/core/engine";
import { hashKeyOf, encodeAnyText } from "../wire/text.js";
import {
  readDigits,
  readAnyText,
  readBytes,
  type TextRow,
  readFlag,
  readOptionalText,
  readPlain,
} from "../wire/read-row.js";
import type { Functions } from "./functions.js";
import { int8Array, toLimit } from "../wire/values.js";

/** The pauses of a store. */
export function createPostgresPauses({ connection, schema, timeFor }: Functions): PauseStore {
  return {
    add: async (lane, now): Promise<void> => {
      await connection.brief(
        `insert into ${schema}.pause (key, name, paused_at)
          select $1::uuid, $2::bytea, coalesce($3::int8, ${schema}.clock_ms()) from ${schema}.promise_durable() on conflict do nothing`,
        [hashKeyOf(lane), encodeAnyText(lane), timeFor(now)],
      );
    },
    remove: async (lane): Promise<void> => {
      await connection.brief(`delete from ${schema}.pause using ${schema}.promise_durable() where key = $1::uuid`, [
        hashKeyOf(lane),
      ]);
    },
    list: async ({ after, limit }) => {
      const rows = await connection.ask(
        `select name, paused_at from ${schema}.pause where $1::uuid is null or key > $1::uuid order by key limit $2`,
        [after === undefined ? null : hashKeyOf(after), limit],
      );
      return rows.map((row) => ({
        lane: destinationId(readAnyText(row, "name")),
        pausedAt: epochMs(readDigits(row, "paused_at")),
      }));
    },
  };
}

/** The replay jobs of a store. */
export function createPostgresReplayJobs({ connection, schema }: Functions): ReplayJobStore {
  const table = `${schema}.replay_job`;
  const durable = `${schema}.promise_durable()`;

  return {
    create: async (job) => {
      const rows = await connection.ask(
        `insert into ${table} (key, revision, is_running, created_at, record)
          select $1::uuid, $2::int8, $3::boolean, $4::int8, $5::bytea from ${durable} on conflict do nothing returning revision`,
        [hashKeyOf(job.id), ...valuesOf(job)],
      );
      return rows.length > 0;
    },
    replace: async (job) => {
      const rows = await connection.ask(
        `update ${table} set revision = $2::int8, is_running = $3::boolean, created_at = $4::int8, record = $5::bytea from ${durable}
          where key = $1::uuid and revision = $2::int8 - 1 returning revision`,
        [hashKeyOf(job.id), ...valuesOf(job)],
      );
      return rows.length > 0;
    },
    find: async (id: ReplayJobId) => {
      const [row] = await connection.brief(`select record from ${table} where key = $1::uuid`, [hashKeyOf(id)]);
      return row && readJob(row);
    },
    list: async ({ running = false }) => {
      const rows = await connection.brief(
        `select record from ${table} where is_running or not $1::boolean order by created_at desc, key`,
        [running],
      );
      return rows.map(readJob);
    },
    remove: async (id): Promise<void> => {
      await connection.ask(`delete from ${table} using ${durable} where key = $1::uuid`, [hashKeyOf(id)]);
    },
  };
}

function valuesOf(job: ReplayJob): readonly unknown[] {
  return [job.revision, job.state === "running", job.createdAt, Buffer.from(JSON.stringify(job))];
}

/** JSON keeps every text, since it escapes lone surrogates. */
function readJob(row: TextRow): ReplayJob {
  return JSON.parse(readBytes(row, "record").toString("utf8")) as ReplayJob;
}

/**
 * The settings of a store. The number of a revision is the key of its row, so that looking for a higher one reads no document. Revisions
 * are whole numbers; an editor who expects another number expects a wrong one, which is no error.
 */
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

/** The outbox of a store. */
export function createPostgresOutbox({ connection, schema, bucket }: Functions): Outbox {
  return {
    add: async ({ source, call }, run): Promise<void> => {
      await run(`insert into ${schema}.outbox (source, call) values ($1, $2)`, [JSON.stringify(source), call]);
    },
    read: async ({ after = "0", limit, except = [] }) => {
      const rows = await connection.ask(`select id, source, call from ${schema}.read_outbox($1, $2, $3, $4)`, [
        ...[bucket, after, toLimit(limit), except.flatMap(textsOf)],
      ]);
      return rows.map((row) => ({
        id: String(readDigits(row, "id")),
        source: sourceId(readSource(readPlain(row, "source"))),
        call: readPlain(row, "call"),
      }));
    },
    count: async ({ source, limit }) => {
      const [row] = await connection.ask(
        `select count(*) from (select 1 from ${schema}.outbox where bucket = $1 and source = any ($2) limit $3) o`,
        [bucket, textsOf(source), toLimit(limit)],
      );
      return readDigits(row ?? {}, "count");
    },
    remove: async (ids): Promise<void> => {
      await connection.ask(`delete from ${schema}.outbox where bucket = $1 and id = any ($2::int8[])`, [
        bucket,
        int8Array(ids.map(Number)),
      ]);
    },
  };
}

/** The texts by which a source is stored: by `add`, and by hand. */
function textsOf(source: SourceId): readonly string[] {
  const written = JSON.stringify(source);
  return source.isWellFormed() && !source.includes("\u0000") ? [written, source] : [written];
}

/** A text that is no JSON was written by hand, and is the source itself. */
function readSource(text: string): string {
  try {
    const source: unknown = JSON.parse(text);
    return typeof source === "string" ? source : text;
  } catch {
    return text;
  }
}
