// What five minutes of steady traffic leave in the tables on PostgreSQL, while another transaction holds a snapshot for one of them: the
// size beside that of what is kept, dead rows, and what a commit takes before, meanwhile and after. `npm run bench -- bloat [seconds]
// [group]`; needs `tsc -b` first.

import { openPostgresStore } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { installedServers, startServer } from "../programs/postgres/servers.js";
import { load } from "./machine.js";
import { quantile } from "./statistics.js";
import { LEASE_MS, newMessage, settlementOf } from "./store-calls.js";

const SECONDS = Number(process.argv[2] ?? 300);
const GROUP = Number(process.argv[3] ?? 256);
const CALLS_PER_S = 3_000;
/** How long what is delivered is kept, and how long what is dead. */
const KEPT_MS = { delivered: 30_000, dead: 210_000 };
/** Of a thousand calls: how many are tried again, and how many are given up. */
const PER_MILLE = { again: 2, dead: 2 };
const AGAIN_AFTER_MS = 1_000;
const LOOK_EVERY_S = 10;
/** The snapshot is held in the middle fifth. */
const HELD = { from: SECONDS * 0.4, until: SECONDS * 0.6 };

const [installed] = installedServers();
if (installed === undefined) throw new Error("there is no PostgreSQL");
const postgres = await startServer(installed);
const pool = postgres.pool();
const store = await openPostgresStore({ pool, clock: createSystemClock() });
const startedAt = performance.now();
const commits = [];
const looks = [];
let settle = [];
let hasEnded = false;

console.log(`${installed.name}, ${CALLS_PER_S} calls/s in groups of ${GROUP}, load ${load()} before\n`);
console.log("second   calls kept   MB   of what is kept   dead rows   commit p50   p99, ms");
try {
  await Promise.all([pour(), tend(), look(), holdSnapshot()]);
  tell();
} finally {
  await postgres.stop();
}

function seconds() {
  return (performance.now() - startedAt) / 1_000;
}

/** Commits at a steady rate, each with what the one before has handed out. */
async function pour() {
  for (let turn = 0; seconds() < SECONDS; turn += 1) {
    const lateMs = performance.now() - startedAt - (turn * GROUP * 1_000) / CALLS_PER_S;
    if (lateMs < 0) await pause(-lateMs);
    const token = randomBytes(16).toString("hex");
    const changes = {
      accept: Array.from({ length: GROUP }, () => newMessage({ kind: "claimed" })),
      settle,
      ...{ replay: [], append: [], tally: [], lease: { token, leaseMs: LEASE_MS } },
    };
    const began = performance.now();
    const { accepted } = await store.commit(changes, Date.now());
    commits.push({ at: seconds(), ms: performance.now() - began });
    settle = accepted.map(({ deliveries: [id] }) => settlementOf(id, token, Date.now(), drawOutcome()));
  }
  hasEnded = true;
}

function drawOutcome() {
  const drawn = Math.random() * 1_000;
  if (drawn < PER_MILLE.dead) return { kind: "dead", reason: "refused" };
  if (drawn < PER_MILLE.dead + PER_MILLE.again) return { kind: "rescheduled", dueAt: Date.now() + AGAIN_AFTER_MS };
  return { kind: "delivered" };
}

/** What a relay does each second besides: it looks at lanes, claims what is due, and sweeps. */
async function tend() {
  while (!hasEnded) {
    const now = Date.now();
    await store.lanes({ limit: 100 }, now);
    const token = randomBytes(16).toString("hex");
    const claimed = await store.claim({ lanes: [{ lane: "crm", limit: 256 }], token, leaseMs: LEASE_MS }, now);
    const lease = { token, leaseMs: LEASE_MS };
    const again = claimed.deliveries.map(({ id }) => settlementOf(id, token, now));
    await store.commit({ accept: [], settle: again, replay: [], append: [], tally: [], lease }, now);
    const before = { deliveredBefore: now - KEPT_MS.delivered, deadBefore: now - KEPT_MS.dead };
    while ((await store.sweep({ ...before, limit: 250 }, now)) >= 250);
    await pause(1_000);
  }
}

async function holdSnapshot() {
  await pause(HELD.from * 1_000);
  const client = await pool.connect();
  await client.query({ text: "begin isolation level repeatable read" });
  await client.query({ text: "select count(*) from pg_class" });
  await pause((HELD.until - HELD.from) * 1_000);
  await client.query({ text: "rollback" });
  client.release();
}

async function look() {
  let bytesOfACall;
  while (!hasEnded) {
    await pause(LOOK_EVERY_S * 1_000);
    const { rows } = await pool.query(`
      select (select sum(pg_total_relation_size(c.oid)) from pg_class c where c.relnamespace = 'postrider'::regnamespace
          and c.relkind = 'r' and c.relname !~ '^seen_')::float8 as bytes,
        (select sum(n_dead_tup) from pg_stat_user_tables where schemaname = 'postrider')::int4 as dead,
        (select string_agg(t.relname || ' ' || t.n_dead_tup, ', ' order by t.n_dead_tup desc) from pg_stat_user_tables t
          where t.schemaname = 'postrider' and t.n_dead_tup > 100) as tables,
        (select count(*) from postrider.message)::int4 as held`);
    const [{ bytes, dead, held, tables }] = rows;
    const at = seconds();
    const due = CALLS_PER_S * Math.min(at, KEPT_MS.delivered / 1_000) * (1 + PER_MILLE.dead / 1_000);
    // Before anything is swept, the tables hold what is kept and nothing else.
    bytesOfACall ??= bytes / held;
    const share = bytes / (due * bytesOfACall);
    const recent = commits.filter((commit) => commit.at > at - LOOK_EVERY_S).map(({ ms }) => ms);
    looks.push({ at, share, dead });
    const cells = [at.toFixed(0).padStart(6), String(held).padStart(13), (bytes / 1e6).toFixed(0).padStart(5)];
    const times = [0.5, 0.99].map((part) => quantile(recent, part).toFixed(1).padStart(11));
    console.log(
      `${cells.join("")}${share.toFixed(2).padStart(18)}${String(dead).padStart(12)}${times.join("")}   ${tables ?? ""}`,
    );
  }
}

function tell() {
  const within = (from, until) => commits.filter(({ at }) => at >= from && at < until).map(({ ms }) => ms);
  const p99 = (from, until) => quantile(within(from, until), 0.99).toFixed(1);
  const steady = looks.filter(({ at }) => at > (KEPT_MS.delivered * 1.5) / 1_000);
  console.log(
    `\ncommit p99, ms: before ${p99(0, HELD.from)}, held ${p99(HELD.from, HELD.until)}, after ${p99(HELD.until, SECONDS)}`,
  );
  console.log(`size of what is kept, at most: ${Math.max(...steady.map(({ share }) => share)).toFixed(2)}`);
  console.log(`dead rows, at most: ${Math.max(...looks.map(({ dead }) => dead))}; calls: ${commits.length * GROUP}`);
}
