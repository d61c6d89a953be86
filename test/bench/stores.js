// What a call costs in a store: the SQLite file, PostgreSQL, and pg-boss beside them, in rounds that alternate. A call is accepted and
// claimed in one commit, and settled in the next, as the relay does it. For PostgreSQL, the CPU of the database is counted with that of
// this process. Then what a claim costs beside many waiting deliveries, and beside a snapshot that is held. `npm run bench -- stores
// [rounds]`; needs `tsc -b` first, and Linux for the CPU of processes.

import { DatabaseSync } from "@photostructure/sqlite";
import { openPostgresStore } from "@postrider/postgres";
import { createSqliteStore } from "@postrider/sqlite";
import { createSystemClock } from "@postrider/system";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import PgBoss from "pg-boss";
import { installedServers, startServer } from "../programs/postgres/servers.js";
import { followCpu } from "./cpu/follow-cpu.js";
import { load } from "./machine.js";
import { quantile, spreadText } from "./statistics.js";
import { LEASE_MS, newMessage, NOTHING, settlementOf } from "./store-calls.js";

const ROUNDS = Number(process.argv[2] ?? 7);
const GROUPS = [256, 64];
const CALLS_OF_A_ROUND = 12_800;
const CLAIM = 256;
const CLAIMS = 40;
const LANES = 16;
const FEW = 10_000;
const MANY = 1_000_000;
const CLAIMED_MEANWHILE = 300_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const [installed] = installedServers();
if (installed === undefined) throw new Error("there is no PostgreSQL");
const postgres = await startServer(installed);
/** A separate server, whose vacuum is not counted with ours. */
const postgresOfBoss = await startServer(installed);
const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
const clock = createSystemClock();
async function compareCosts() {
  const sqlite = createSqliteStore({ database: new DatabaseSync(join(folder, "postrider.db")) });
  const ours = await openPostgresStore({ pool: postgres.pool(), clock });
  const boss = await openBoss();
  const arms = {
    SQLite: { pour: (...given) => pourInto(sqlite, ...given), pids: [] },
    PostgreSQL: { pour: (...given) => pourInto(ours, ...given), pids: [postgres.pid()] },
    "pg-boss": { pour: (...given) => pourIntoBoss(boss, ...given), pids: [postgresOfBoss.pid()] },
  };
  console.log("CPU of a call, us      group   process           database          both");
  for (const group of GROUPS) {
    const costs = Object.fromEntries(Object.keys(arms).map((name) => [name, []]));
    for (const { pour } of Object.values(arms)) await pour(group, newMessages());
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, arm] of Object.entries(arms)) costs[name].push(await costOf(arm, group));
    }
    for (const [name, all] of Object.entries(costs)) {
      const cell = (read) => spreadText(all.map(read), 1).padEnd(18);
      const both = ({ own, database }) => own + database;
      console.log(
        `${name.padEnd(23)}${String(group).padEnd(8)}${cell(({ own }) => own)}${cell(({ database }) => database)}${cell(both)}`,
      );
    }
    const ratio = (one, other) =>
      quantile(
        costs[one].map((cost, round) => (cost.own + cost.database) / sumOf(costs[other][round])),
        0.5,
      ).toFixed(2);
    console.log(
      `PostgreSQL / SQLite ${ratio("PostgreSQL", "SQLite")}, PostgreSQL / pg-boss ${ratio("PostgreSQL", "pg-boss")}\n`,
    );
  }
  await boss.stop({ graceful: false });
  await sqlite.close();
}

function sumOf({ own, database }) {
  return own + database;
}

/** CPU of a call in this process, and in the database, in microseconds. */
async function costOf({ pour, pids }, group) {
  const messages = newMessages();
  // What was made above is not collected at the cost of what is measured.
  collectGarbage();
  const ofDatabase = followCpu(pids);
  const before = process.cpuUsage();
  await pour(group, messages);
  const own = process.cpuUsage(before);
  const database = ofDatabase.usedMs();
  return {
    own: (own.user + own.system) / CALLS_OF_A_ROUND,
    database: (database * 1_000) / CALLS_OF_A_ROUND,
  };
}

async function pourInto(store, group, messages) {
  let settle = [];
  for (let made = 0; made < CALLS_OF_A_ROUND; made += group) {
    const token = randomBytes(16).toString("hex");
    const accept = messages.slice(made, made + group);
    const now = Date.now();
    const lease = { token, leaseMs: LEASE_MS };
    const { accepted } = await store.commit({ accept, settle, replay: [], append: [], tally: [], lease }, now);
    settle = accepted.map(({ deliveries: [id] }) => settlementOf(id, token, now));
  }
  await store.commit({ ...NOTHING, settle }, Date.now());
}

/** Made before the CPU is measured. */
function newMessages() {
  return Array.from({ length: CALLS_OF_A_ROUND }, () => newMessage({ kind: "claimed" }));
}

async function openBoss() {
  const boss = new PgBoss({ connectionString: postgresOfBoss.url(), supervise: false, schedule: false });
  boss.on("error", (error) => console.error(error));
  await boss.start();
  await boss.createQueue("calls", { policy: "standard" });
  return boss;
}

async function pourIntoBoss(boss, group, messages) {
  for (let made = 0; made < CALLS_OF_A_ROUND; made += group) {
    const jobs = messages.slice(made, made + group).map(({ text }) => ({ name: "calls", data: { text } }));
    await boss.insert(jobs);
    const fetched = await boss.fetch("calls", { batchSize: group });
    await boss.complete(
      "calls",
      fetched.map(({ id }) => id),
    );
  }
}

async function compareClaims() {
  const few = await claimCost(await filledWith(FEW));
  const full = await filledWith(MANY);
  const many = await claimCost(full);
  const client = await postgres.pool(1).connect();
  await client.query({ text: "begin isolation level repeatable read" });
  await client.query({ text: "select 1 from pg_class limit 1" });
  await claimCost(full, { claims: CLAIMED_MEANWHILE / CLAIM, settlesAtOnce: true });
  const held = await claimCost(full);
  await client.query({ text: "rollback" });
  client.release();
  console.log(`a claim of ${CLAIM}, us of CPU for each delivery`);
  console.log(`${FEW} wait                                   ${few.toFixed(1)}`);
  console.log(`${MANY} wait                                 ${many.toFixed(1)}   ${(many / few).toFixed(2)} times`);
  console.log(
    `... a snapshot is held, ${CLAIMED_MEANWHILE} claimed since   ${held.toFixed(1)}   ${(held / many).toFixed(2)} times`,
  );
}

/** A store with this many waiting deliveries, over some lanes. */
async function filledWith(deliveries) {
  const store = await openPostgresStore({ pool: postgres.pool(), clock, schema: `filled ${deliveries}` });
  const group = 2_000;
  for (let made = 0; made < deliveries; made += group) {
    const accept = Array.from({ length: group }, (_, index) =>
      newMessage({ kind: "waiting", dueAt: Date.now() - 1_000 }, `lane ${index % LANES}`),
    );
    await store.commit({ ...NOTHING, accept }, Date.now());
  }
  await postgres.pool(1).query("vacuum analyze");
  return store;
}

/** CPU of a claimed delivery in microseconds, here and in the database. What is claimed is settled, afterwards or at once. */
async function claimCost(store, { claims = CLAIMS, settlesAtOnce = false } = {}) {
  const half = LANES / 2;
  const ofDatabase = followCpu([postgres.pid()]);
  const before = process.cpuUsage();
  const claimed = [];
  for (let turn = 0; turn < claims; turn += 1) {
    const lanes = Array.from({ length: half }, (_, index) => ({
      lane: `lane ${(turn % 2) * half + index}`,
      limit: CLAIM / half,
    }));
    const token = randomBytes(16).toString("hex");
    const { deliveries } = await store.claim({ lanes, token, leaseMs: 3_600_000 }, Date.now());
    claimed.push(...deliveries.map(({ id }) => settlementOf(id, token, Date.now())));
    if (settlesAtOnce) await store.commit({ ...NOTHING, settle: claimed.splice(0) }, Date.now());
  }
  const { user, system } = process.cpuUsage(before);
  const cost = (user + system + ofDatabase.usedMs() * 1_000) / claimed.length;
  for (let at = 0; at < claimed.length; at += CLAIM) {
    await store.commit({ ...NOTHING, settle: claimed.slice(at, at + CLAIM) }, Date.now());
  }
  return cost;
}

console.log(`${installed.name}, load ${load()} before\n`);
try {
  await compareCosts();
  if (process.argv[3] !== "costs") await compareClaims();
} finally {
  await postgres.stop();
  await postgresOfBoss.stop();
  rmSync(folder, { recursive: true, force: true });
}
