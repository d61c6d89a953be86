// Looks at the store of a config without changing it: a file is inspected without opening it, for its state and the room of its
// disk; a database is asked whether what it answers outlives a crash of its machine, and whether calls wait in its outbox.

import type { ServerSettings } from "@postrider/relay/settings";
import type { Clock, Secret } from "@postrider/core";
import { type InspectedStore, inspectStore, type StoreFileState } from "@postrider/sqlite/file";
import { createPool, type OwnPool, parametersOf } from "../../assembly/open-store.js";
import { nameDatabase } from "../../config/own-secrets.js";
import { reasonOf } from "../../log/printable.js";
import { formatCount } from "../format-count.js";
import type { CheckFinding } from "./check-finding.js";

const MIB = 1_048_576;

/** Free bytes on the disk of the store below which there is a warning. */
const MIN_FREE_BYTES = 268_435_456;

/** In milliseconds: a file whose time of writing is ahead of the clock by more than this shows that a clock is wrong. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** The oldest version that the store works on. */
const OLDEST_VERSION = 14;

/** Calls that are counted at most. */
const MAX_COUNTED = 10_000;

/** A server takes calls out within a second or two, unless it does not know their source. */
const OUTBOX_TOLERANCE_S = 60;

const STATES: Readonly<Record<StoreFileState, string>> = {
  new: "does not exist; serve creates it",
  closed: "can be opened",
  "in-use": "can be opened; a process is using it",
  unclosed: "can be opened; it was not closed, or a process is using it",
};

/** Facts that the database reports about itself; booleans are `true` and `false`. */
const FACTS = `
select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
  current_setting('fsync') as fsync, current_setting('full_page_writes') as pages, current_setting('data_checksums') as checksums,
  current_setting('synchronous_standby_names') as standbys, current_setting('synchronous_commit') as commits,
  pg_is_in_recovery()::text as standby, floor(extract(epoch from clock_timestamp()) * 1000)::text as now,
  (case when to_regnamespace('postrider') is null then has_database_privilege(current_database(), 'CREATE')
    else has_schema_privilege('postrider', 'CREATE, USAGE') end)::text as rights, to_regnamespace('postrider') is not null as made,
  current_user as role,
  (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int)::text as connections`;

/** The number of calls that wait in the outbox, and the seconds since the first of them. */
const OUTBOX_FACTS = `
select (select count(*) from (select 1 from postrider.outbox limit ${String(MAX_COUNTED)}) o)::text as calls,
  (select extract(epoch from clock_timestamp() - o.written_at) from postrider.outbox o order by o.bucket, o.id limit 1)::text as seconds`;

export async function checkStore(
  store: ServerSettings["store"],
  { clock }: { readonly clock: Pick<Clock, "wall"> },
): Promise<readonly CheckFinding[]> {
  switch (store.kind) {
    case "memory":
      return [{ kind: "note", code: "store-in-memory", path: "store", message: "memory: loses everything at the end" }];
    case "postgres":
      return checkDatabase(store.url, clock);
    case "sqlite":
      return checkFile(store.path);
  }
}

function checkFile(path: string): readonly CheckFinding[] {
  const inspected = inspectStore(path);
  if (inspected.kind === "refused") {
    const { code, message } = inspected.error;
    return [{ kind: "fault", code, path: "store", message }];
  }
  const message = `${path} ${stateInWords(inspected.store)}`;
  const state: CheckFinding = { kind: "ok", code: `store-${inspected.store.state}`, path: "store", message };
  return [state, ...checkRoom(inspected.store)];
}

function stateInWords({ state, isOlder }: InspectedStore): string {
  return isOlder ? `${STATES[state]}; serve migrates it to the current version` : STATES[state];
}

function checkRoom({ freeBytes }: InspectedStore): readonly CheckFinding[] {
  if (freeBytes >= MIN_FREE_BYTES) return [];
  const message = `its disk has ${formatCount(freeBytes / MIB)} MiB free; calls are refused once it is full`;
  return [{ kind: "warning", code: "little-room", path: "store", message, change: "make room" }];
}

async function checkDatabase(url: Secret, clock: Pick<Clock, "wall">): Promise<readonly CheckFinding[]> {
  const name = nameDatabase(url.reveal());
  let pool: OwnPool | undefined;
  try {
    pool = await createPool(url);
    const facts = await askFacts(pool, FACTS);
    const outboxFindings = facts["made"] === true ? judgeOutbox(await askFacts(pool, OUTBOX_FACTS)) : [];
    return [...judgeDatabase(name, facts, clock.wall()), judgeConnections(url, facts), ...outboxFindings];
  } catch (error) {
    const message = `${name} cannot be used: ${reasonOf(error)}`;
    return [finding("fault", "store-unusable", message)];
  } finally {
    await pool?.end();
  }
}

type Facts = Readonly<Record<string, unknown>>;

async function askFacts(pool: OwnPool, text: string): Promise<Facts> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query({ text });
    return rows[0] as Facts;
  } finally {
    client.release();
  }
}

function judgeDatabase(name: string, facts: Facts, now: number): readonly CheckFinding[] {
  const fact = (key: string): string => String(facts[key]);
  const isOld = Number(facts["major"]) < OLDEST_VERSION;
  const server = `${name} is PostgreSQL ${fact("version")}`;
  const ahead = Number(facts["now"]) - now;
  return [
    isOld
      ? finding("fault", "database-too-old", `${server}, which is too old`, `use ${String(OLDEST_VERSION)} or later`)
      : finding(
          "ok",
          "store-answers",
          `${server}; ${facts["made"] === true ? "its schema is there" : "serve creates the schema postrider"}`,
        ),
    ...findingUnless(fact("standby") === "false", () =>
      finding("fault", "database-read-only", "this server is a standby, which takes no writes", "name the primary"),
    ),
    ...findingUnless(fact("rights") === "true", () =>
      finding(
        "fault",
        "database-right-missing",
        `the role ${fact("role")} may not create in it`,
        "grant CREATE on the database to it",
      ),
    ),
    ...findingUnless(fact("fsync") === "on" && fact("pages") === "on", () =>
      finding(
        "fault",
        "database-not-durable",
        "fsync or full_page_writes is off, so a crash of its machine loses calls that were accepted",
        "turn both on",
      ),
    ),
    ...findingUnless(fact("checksums") === "on", () =>
      finding(
        "warning",
        "database-without-checksums",
        "data checksums are off, so damage of its disk is not noticed",
        "enable them with pg_checksums",
      ),
    ),
    fact("standbys") === ""
      ? finding(
          "note",
          "database-alone",
          "no standby is synchronous: what was accepted last is lost with the disk of its machine",
        )
      : finding("ok", "database-standby", `what is accepted is also on a standby (${fact("standbys")})`),
    Math.abs(ahead) > CLOCK_TOLERANCE_MS
      ? finding(
          "note",
          "database-clock",
          `its clock differs by ${String(Math.round(ahead / 1_000))} s from this machine's; its own decides`,
        )
      : finding("ok", "database-clock", "its clock agrees with this machine's"),
  ];
}

/** Each server takes as many as its URL says, and the host's own program needs some too. */
function judgeConnections(url: Secret, facts: Facts): CheckFinding {
  const { connections } = parametersOf(url);
  const available = Number(facts["connections"]);
  const message = `a server takes up to ${String(connections)} of the ${String(available)} connections of the database`;
  return connections <= available / 2
    ? finding("ok", "database-connections", message)
    : finding("warning", "database-connections", message, "ask for fewer by ?connections=, or raise max_connections");
}

function findingUnless(isSatisfied: boolean, make: () => CheckFinding): readonly CheckFinding[] {
  return isSatisfied ? [] : [make()];
}

function finding(kind: CheckFinding["kind"], code: string, message: string, change?: string): CheckFinding {
  return { kind, code, path: "store", message, ...(change !== undefined && { change }) };
}

function judgeOutbox({ calls, seconds }: Readonly<Record<string, unknown>>): readonly CheckFinding[] {
  const [count, waitedS] = [Number(calls), Number(seconds)];
  if (count === 0) return [];
  const many = count < MAX_COUNTED ? String(count) : `${String(MAX_COUNTED)} or more`;
  const message = `calls of hosts that wait in its outbox: ${many}, the first for ${waitedS.toFixed(0)} s`;
  const shared = { code: "database-outbox", path: "store", message } as const;
  if (waitedS <= OUTBOX_TOLERANCE_S) return [{ kind: "ok", ...shared }];
  return [{ kind: "warning", ...shared, change: "look whether a server delivers, and knows their sources" }];
}
