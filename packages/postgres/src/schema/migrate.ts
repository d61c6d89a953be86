// Brings the schema up to date when a store is opened, under a lock: of processes that start together one does it, and the others find
// it done. The steps are in order, oldest first; their number is the version of the schema. A server or schema that cannot be used is
// refused with the reason in words.

import { createStoreError, type StoreError } from "@postrider/core";
import { storeErrorCodeOf } from "@postrider/core/engine";
import type { Requests } from "../connection/requests.js";
import { LOCK_WAIT_MS } from "../connection/limits.js";
import { sqlStateOf } from "../connection/name-error.js";
import { readDigits, readOptionalDigits, readTextOrEmpty, type TextRow } from "../wire/read-row.js";
import { ACCEPT, COMMIT } from "./commit.js";
import { AUDIENCES } from "./audiences.js";
import { OUTBOX } from "./outbox.js";
import { BOARD, LANE_CHANGES } from "./board.js";
import { CLAIM } from "./claim.js";
import { DELETE_USERS } from "./users.js";
import { HELPERS } from "./helpers.js";
import { UNSTORED_MESSAGES, LEAF_TABLES } from "./partitions/tables.js";
import { LISTS, READ } from "./lists.js";
import { LOOK_THROUGH_LEAF, TEND_LEAVES } from "./partitions/rotation.js";
import { MAINTAIN } from "./maintenance.js";
import { ALIGN_NUMBERS, BUCKET } from "./numbers.js";
import { REPLAY, SETTLE } from "./settle.js";
import { TABLES } from "./tables.js";
import { COMMIT_USUAL } from "./usual.js";

/** The oldest usable version of the server, in the form of `server_version_num`. */
const OLDEST_SERVER = 140_000;

/** A step of the schema. */
export interface PostgresStep {
  /** The statements that are run in the schema of the store. */
  readonly sql: string;
  /** The fewest steps that a program must know to work after this one: its own number, or that of an earlier one if it only adds. */
  readonly oldest: number;
}

/**
 * The functions that a process calls, which wait for a lock no longer than it does: a backend whose process has gone on would wait as long
 * as the lock is held. What people wait for has a limit on its whole time instead.
 */
const CALLED = [
  "commit",
  "commit_usual",
  "claim",
  "end_lane",
  "pull_in",
  "sweep",
  "tend_leaves",
  "lanes",
  "lane_changes",
  "name_sources",
  "name_lanes",
  "open_deletion",
  "purge",
  "finish_deletion",
  "show_deletions",
  "beat",
  "write_board",
  "read_outbox",
  "append_members",
  "read_members",
  "erase_members",
  "drop_members",
];

const LOCK_LIMITS: string = CALLED.map(
  (name) => `alter function ${name} set lock_timeout = ${String(LOCK_WAIT_MS)};`,
).join("\n");

const FIRST_STEP = [
  TABLES,
  LEAF_TABLES,
  HELPERS,
  UNSTORED_MESSAGES,
  ACCEPT,
  SETTLE,
  REPLAY,
  COMMIT,
  COMMIT_USUAL,
  CLAIM,
  MAINTAIN,
  TEND_LEAVES,
  LOOK_THROUGH_LEAF,
  DELETE_USERS,
  READ,
  LANE_CHANGES,
  LISTS,
  BOARD,
  OUTBOX,
  AUDIENCES,
  ALIGN_NUMBERS,
  LOCK_LIMITS,
].join("\n");

/**
 * All steps. Until a version is published, a schema is changed in place, in the files beside this one. From then on the steps of a
 * release never change, and a change is a further step, which first adds, and in a later release takes away, so that programs of two
 * versions run side by side, and one may go back to the earlier one.
 */
export const POSTGRES_STEPS: readonly PostgresStep[] = [{ sql: FIRST_STEP, oldest: 1 }];

/** Throws a `StoreError` if the server, its rights or the schema do not fit. */
export async function migrateSchema({ ask }: Requests, schema: string): Promise<void> {
  const name = quoteName(schema);
  try {
    const [server] = await ask(
      `select current_setting('server_version_num') as version, current_setting('transaction_isolation') as isolation, to_regclass($1) is not null as is_there,
        to_regclass($2) is null as is_early`,
      [`${name}.version`, `${name}.ring`],
    );
    refuseServer(server ?? {}, schema);
    const { step, oldest } = server?.["is_there"] === "t" ? await readVersion(ask, name) : { step: 0, oldest: 0 };
    if (oldest > POSTGRES_STEPS.length) {
      const knownSteps = String(POSTGRES_STEPS.length);
      throw refuse(
        `the schema ${schema} is of a newer program: it has step ${String(step)}, and this one knows ${knownSteps}`,
      );
    }
    if (step < POSTGRES_STEPS.length) await runMigration(ask, migration(schema, step));
    await ask(`select ${name}.align_numbers(${String(BUCKET)}::int2)`);
  } catch (error) {
    throw explain(error, schema);
  }
}

/** Throws if the server, or the content of the schema, cannot be used. */
function refuseServer(server: TextRow, schema: string): void {
  const version = readDigits(server, "version");
  if (version < OLDEST_SERVER)
    throw refuse(`PostgreSQL ${String(Math.floor(version / 10_000))} is too old: 14 or later is needed`);
  const isolation = readTextOrEmpty(server, "isolation");
  if (isolation !== "read committed")
    throw refuse(`transactions of this role are ${isolation}: set its default_transaction_isolation to read committed`);
  if (server["is_there"] === "t" && server["is_early"] === "t")
    throw refuse(`the schema ${schema} was made by a build from before the first release: use another one, or drop it`);
}

/** The name of a schema as SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

interface Version {
  /** The last step. */
  readonly step: number;
  /** The fewest steps that a program has to know. */
  readonly oldest: number;
}

async function readVersion(ask: Requests["ask"], name: string): Promise<Version> {
  const [row = {}] = await ask(`select max(step) as step, max(oldest) as oldest from ${name}.version`);
  return { step: readOptionalDigits(row, "step") ?? 0, oldest: readOptionalDigits(row, "oldest") ?? 0 };
}

/** The number of times that a migration is tried whose locks something else holds. */
const MIGRATION_TRIES = 3;

/** The time that a migration waits for one lock, in ms: callers hear 503 when their commits wait behind it for longer. */
const MIGRATION_LOCK_MS = 2_000;

async function runMigration(ask: Requests["ask"], text: string, tries = MIGRATION_TRIES): Promise<void> {
  try {
    await ask(text);
  } catch (error) {
    if (tries === 1 || storeErrorCodeOf(error) !== "busy") throw error;
    await runMigration(ask, text, tries - 1);
  }
}

/**
 * One simple query of several statements, which is one transaction. Each step looks again whether it is still to be done. No commit and
 * no claim is under way meanwhile, so that none holds one table and waits for another one that a step has locked.
 */
function migration(schema: string, from: number): string {
  const name = quoteName(schema);
  const key = `hashtext('${schema.replaceAll("'", "''")}')`;
  const steps = POSTGRES_STEPS.slice(from).map((step, index) => guarded(step, from + index + 1));
  return [
    `select pg_advisory_xact_lock(${key}, 1)`,
    `select set_config('lock_timeout', '${String(MIGRATION_LOCK_MS)}', true)`,
    `select pg_advisory_xact_lock(${key}, 0)`,
    "select set_config('client_min_messages', 'warning', true)",
    `create schema if not exists ${name}`,
    `select set_config('search_path', '${name.replaceAll("'", "''")}, pg_temp', true)`,
    "create table if not exists version (step int4 primary key, oldest int4 not null, since timestamptz not null default now())",
    ...steps,
  ].join(";\n");
}

function guarded({ sql, oldest }: PostgresStep, step: number): string {
  const number = String(step);
  return [
    "do $guard$ begin",
    `if exists (select 1 from version where step = ${number}) then return; end if;`,
    `execute $step$${sql}$step$;`,
    `insert into version (step, oldest) values (${number}, ${String(oldest)});`,
    "end $guard$",
  ].join("\n");
}

function refuse(words: string): StoreError {
  return createStoreError("unavailable", words);
}

/** The reasons why a store cannot be opened, by the code of the driver. */
const WORDS: Readonly<Record<string, string>> = {
  "3D000": "there is no such database",
  "28P01": "the password is wrong",
  "28000": "the role may not connect",
  "42501": "the role lacks a right: it needs to create the schema, or all rights in it",
  "55P03": "another transaction holds its tables, such as a dump: start again when that has ended",
  "3F000": "the schema does not exist, and the role may not create it",
  ECONNREFUSED: "no server listens there",
  ENOTFOUND: "the host is unknown",
};

function explain(error: unknown, schema: string): unknown {
  const code = causeCodeOf(error);
  const words = WORDS[code];
  return words === undefined
    ? error
    : createStoreError("unavailable", `the schema ${schema} cannot be used: ${words} (${code})`, error);
}

function causeCodeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? sqlStateOf(error.cause) : sqlStateOf(error);
}
