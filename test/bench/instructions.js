// What a call costs PostgreSQL, as instructions of the process that serves the connection: counted by valgrind, so that no neighbour
// changes them. `npm run bench -- instructions [--keep]`; needs `tsc -b` and valgrind. With `--keep` they are written to instructions.json, with
// what commits do.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openPostgresStore } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { end, makeCluster, makeFolder, OWNER, PORT, run } from "../programs/postgres/cluster.js";
import { createPool } from "../programs/postgres/driver.js";
import { installedServers, startServer } from "../programs/postgres/servers.js";
import { newMessage, NOTHING, settlementOf } from "./store-calls.js";
import { workOfCommits } from "./work-of-call.js";

const KEPT = new URL("instructions.json", import.meta.url);
/** What is asked of a call at most, in thousands of instructions, by the calls of a commit. */
const ASKED = { 256: 120, 32: 130, 1: 900 };
/** A claim, and a settlement, beside much else may take this many times what it takes alone. */
const ASKED_RATIO = 1.3;
/** Deliveries in flight: leases of a lane, and what each has. */
const [LEASES, LEASED] = [40, 256];
const WAITING = 3_000;
const CLAIMED = 64;
/** Turns of a connection that are not counted: the first of a statement reads the catalogue. */
const WARM_TURNS = 3;
const LEASE_MS = 36_000_000;
const END_EVERY_MS = 100;
const MOST_WAITS = 600;

const valgrind = versionOfValgrind();
// Debian's if it is there: the figures that are asked were measured on it.
const installed = installedServers().at(-1);
if (installed === undefined || valgrind === undefined) {
  console.error(
    `instructions: there is no ${valgrind === undefined ? "valgrind: on Debian, apt install valgrind" : "PostgreSQL"}`,
  );
  process.exit(2);
}
const folder = makeFolder();
const cluster = {
  bin: installed.bin,
  folder,
  data: join(folder, "data"),
  settings: ["fsync=off", "autovacuum=off", "shared_buffers=256MB", "max_wal_size=4GB"],
};
let pool;
let tokens = 0;
let server;
try {
  makeCluster(cluster.bin, cluster.data);
  server = await run(cluster);
  open();
  const store = await openPostgresStore({
    pool: { connect: () => pool.connect() },
    clock: { ...createSystemClock(), after: () => () => undefined },
  });
  const leases = await fill(store);
  await pool.query("vacuum analyze");
  await pool.end();
  await end(server, "SIGINT");
  server = await run({
    ...cluster,
    through: ["valgrind", "--tool=callgrind", "--quiet", `--callgrind-out-file=${folder}/counts.%p`],
  });
  const rows = await measure(store, leases);
  tell(rows);
  if (process.argv.includes("--keep")) {
    const kept = { server: installed.name, valgrind, thousandsACall: rows, ...(await work()) };
    writeFileSync(KEPT, `${JSON.stringify(kept, null, 2)}\n`);
  }
} finally {
  if (server !== undefined) await end(server, "SIGQUIT");
  rmSync(folder, { recursive: true, force: true });
}

function versionOfValgrind() {
  try {
    return execFileSync("valgrind", ["--version"], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}

/** What commits make the server of npm do, whose version is that of the lock file. */
async function work() {
  const [first] = installedServers();
  const other = await startServer(first, ["fsync=off"]);
  try {
    return { workServer: first.name, workOfCommits: await workOfCommits(other.pool(1)) };
  } finally {
    await other.stop();
  }
}

/** A pool of one connection, whose process ends with it. */
function open() {
  pool = createPool({ host: folder, port: PORT, ...OWNER, max: 1 });
}

/** Deliveries in flight in one lane, and others that wait there and in a second one. */
async function fill(store) {
  const leases = [];
  for (let lease = 0; lease < LEASES; lease += 1) leases.push(await accept(store, LEASED));
  for (const lane of ["crm", "free"])
    for (let message = 0; message < WAITING; message += 500) {
      const start = { kind: "waiting", dueAt: Date.now() - 1_000 };
      await store.commit(
        { ...NOTHING, accept: Array.from({ length: 500 }, () => newMessage(start, lane)) },
        Date.now(),
      );
    }
  return leases;
}

/** Stores calls that are handed out at once, and settles others. Returns what was handed out. */
async function accept(store, count, settle = []) {
  tokens += 1;
  const token = `token ${tokens}`;
  const messages = Array.from({ length: count }, () => newMessage({ kind: "claimed" }));
  const changes = { ...NOTHING, accept: messages, settle, lease: { token, leaseMs: LEASE_MS } };
  const { accepted } = await store.commit(changes, Date.now());
  return accepted.flatMap(({ deliveries }) => deliveries).map((id) => settlementOf(id, token, Date.now()));
}

async function measure(store, leases) {
  const rows = {};
  for (const [group, turns] of [
    [256, 3],
    [32, 6],
    [1, 20],
  ]) {
    let settle = [];
    const turn = async () => {
      settle = await accept(store, group, settle);
    };
    // Not counted, so that each turn that is settles what the turn before has stored.
    await instructionsOf(1, turn);
    rows[`accept and settle, ${group} a commit`] = await count(group * turns, turns, turn);
  }
  const settleAll = (settle) => store.commit({ ...NOTHING, settle }, Date.now());
  const [one, ...others] = leases;
  rows["settle 32 of one lease"] = await count(32 * 3, 3, () => settleAll(one.splice(0, 32)));
  rows["settle one of each of 32 leases"] = await count(32 * 3, 3, () =>
    settleAll(others.slice(0, 32).map((lease) => lease.shift())),
  );
  for (const [lane, beside] of [
    ["free", "none in flight"],
    ["crm", "10,000 in flight"],
  ])
    rows[`claim 64, ${beside}`] = await count(CLAIMED * 3, 3, () => claim(store, lane));
  rows["look at the lanes, 10,000 in flight"] = await count(3, 3, () => store.lanes({ limit: 500 }, Date.now()));
  return rows;
}

async function claim(store, lane) {
  tokens += 1;
  const { deliveries } = await store.claim(
    { token: `token ${tokens}`, leaseMs: LEASE_MS, lanes: [{ lane, limit: CLAIMED }] },
    Date.now(),
  );
  if (deliveries.length !== CLAIMED) throw new Error(`a claim of ${CLAIMED} has handed out ${deliveries.length}`);
}

/** Thousands of instructions of each of `calls`, which these turns have beyond those that are not counted. */
async function count(calls, turns, turn) {
  const warm = await instructionsOf(WARM_TURNS, turn);
  const all = await instructionsOf(WARM_TURNS + turns, turn);
  return Math.round((all - warm) / calls / 100) / 10;
}

/** Of one process of the server, which tells them once its connection has ended. */
async function instructionsOf(turns, turn) {
  open();
  const { rows } = await pool.query("select pg_backend_pid() as pid");
  for (let done = 0; done < turns; done += 1) await turn();
  await pool.end();
  const file = join(folder, `counts.${rows[0].pid}`);
  for (let waits = 0; waits < MOST_WAITS; waits += 1) {
    const told = existsSync(file) ? /^(?:totals|summary): (\d+)/m.exec(readFileSync(file, "utf8")) : null;
    if (told !== null) return Number(told[1]);
    await pause(END_EVERY_MS);
  }
  throw new Error(`valgrind has counted nothing of the process ${rows[0].pid}`);
}

function tell(rows) {
  console.log(`${installed.name}, ${valgrind}\n\nthousands of instructions, of each call:`);
  for (const [what, thousands] of Object.entries(rows))
    console.log(`  ${what.padEnd(40)} ${String(thousands).padStart(9)}`);
  console.log("\nasked:");
  for (const [group, most] of Object.entries(ASKED).toReversed())
    judge(`accept and settle, ${group} a commit`, rows[`accept and settle, ${group} a commit`], most);
  judge(
    "one of each of 32 leases / 32 of one",
    rows["settle one of each of 32 leases"] / rows["settle 32 of one lease"],
    ASKED_RATIO,
  );
  judge(
    "a claim beside 10,000 in flight / none",
    rows["claim 64, 10,000 in flight"] / rows["claim 64, none in flight"],
    ASKED_RATIO,
  );
}

function judge(what, figure, most) {
  const digits = most < 10 ? 2 : 1;
  console.log(
    `  ${what.padEnd(40)} ${figure.toFixed(digits).padStart(9)}  at most ${most}${figure > most ? ", missed" : ""}`,
  );
}
