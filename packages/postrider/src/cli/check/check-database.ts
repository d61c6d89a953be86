// Looks at the database of a config without changing it: whether it answers, and whether it is set up so that what it has answered
// outlives a crash of its machine.

import { createPool, type OwnPool } from "../../assembly/open-postgres.js";
import { nameDatabase } from "../../config/name-store.js";
import type { Clock, Secret } from "@postrider/core";
import type { CheckFinding } from "./check-finding.js";
import { judgeOutbox, OUTBOX_FACTS } from "./judge-outbox.js";
import { CLOCK_TOLERANCE_MS } from "./limits.js";
import { reasonOf } from "../../log/reason-of.js";

/** The oldest version that the store works on. */
const OLDEST_VERSION = 14;

export async function checkDatabase(url: Secret, clock: Pick<Clock, "wall">): Promise<readonly CheckFinding[]> {
  const name = nameDatabase(url.reveal());
  let pool: OwnPool | undefined;
  try {
    pool = await createPool(url);
    const facts = await ask(pool, FACTS);
    const ofOutbox = facts["made"] === true ? judgeOutbox(await ask(pool, OUTBOX_FACTS)) : [];
    return [...judge(name, facts, clock.wall()), ...ofOutbox];
  } catch (error) {
    const message = `${name} cannot be used: ${reasonOf(error)}`;
    return [finding("fault", "store-unusable", message)];
  } finally {
    await pool?.end();
  }
}

/** What the database says of itself; booleans are `true` and `false`. */
const FACTS = `
select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
  current_setting('fsync') as fsync, current_setting('full_page_writes') as pages, current_setting('data_checksums') as checksums,
  current_setting('synchronous_standby_names') as standbys, current_setting('synchronous_commit') as commits,
  pg_is_in_recovery()::text as standby, floor(extract(epoch from clock_timestamp()) * 1000)::text as now,
  (case when to_regnamespace('postrider') is null then has_database_privilege(current_database(), 'CREATE')
    else has_schema_privilege('postrider', 'CREATE, USAGE') end)::text as rights, to_regnamespace('postrider') is not null as made,
  current_user as role`;

type Facts = Readonly<Record<string, unknown>>;

async function ask(pool: OwnPool, text: string): Promise<Facts> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query({ text });
    return rows[0] as Facts;
  } finally {
    client.release();
  }
}

function judge(name: string, facts: Facts, now: number): readonly CheckFinding[] {
  const told = (key: string): string => String(facts[key]);
  const isOld = Number(facts["major"]) < OLDEST_VERSION;
  const found = `${name} is PostgreSQL ${told("version")}`;
  const ahead = Number(facts["now"]) - now;
  return [
    isOld
      ? finding("fault", "database-too-old", `${found}, which is too old`, `use ${String(OLDEST_VERSION)} or later`)
      : finding(
          "ok",
          "store-answers",
          `${found}; ${facts["made"] === true ? "its schema is there" : "serve creates the schema postrider"}`,
        ),
    ...unless(told("standby") === "false", () =>
      finding("fault", "database-read-only", "this server is a standby, which takes no writes", "name the primary"),
    ),
    ...unless(told("rights") === "true", () =>
      finding(
        "fault",
        "database-right-missing",
        `the role ${told("role")} may not create in it`,
        "grant CREATE on the database to it",
      ),
    ),
    ...unless(told("fsync") === "on" && told("pages") === "on", () =>
      finding(
        "fault",
        "database-not-durable",
        "fsync or full_page_writes is off, so a crash of its machine loses calls that were accepted",
        "turn both on",
      ),
    ),
    ...unless(told("checksums") === "on", () =>
      finding(
        "warning",
        "database-without-checksums",
        "data checksums are off, so damage of its disk is not noticed",
        "enable them with pg_checksums",
      ),
    ),
    told("standbys") === ""
      ? finding(
          "note",
          "database-alone",
          "no standby is synchronous: what was accepted last is lost with the disk of its machine",
        )
      : finding("ok", "database-standby", `what is accepted is also on a standby (${told("standbys")})`),
    Math.abs(ahead) > CLOCK_TOLERANCE_MS
      ? finding(
          "note",
          "database-clock",
          `its clock differs by ${String(Math.round(ahead / 1_000))} s from this machine's; its own decides`,
        )
      : finding("ok", "database-clock", "its clock agrees with this machine's"),
  ];
}

function unless(isRight: boolean, make: () => CheckFinding): readonly CheckFinding[] {
  return isRight ? [] : [make()];
}

function finding(kind: CheckFinding["kind"], code: string, message: string, change?: string): CheckFinding {
  return { kind, code, path: "store", message, ...(change !== undefined && { change }) };
}
