// Servers on one PostgreSQL. First: when what one of them accepts reaches a receiver through two others, with hints and without.
// Second: how many calls a second 1, 2 and 4 of them take and deliver on this machine, and what CPU a call costs. `npm run bench --
// fleet [seconds]`; needs `tsc -b` first, and Linux for the CPU of processes.

import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createMembers, WRITE_KEY, writeConfig } from "../fleet/members.js";
import { createReceiver } from "../fleet/receiver.js";
import { installedServers, startServer } from "../programs/postgres/servers.js";
import { followCpu } from "./cpu/follow-cpu.js";
import { until } from "./processes.js";
import { load } from "./machine.js";
import { quantile } from "./statistics.js";

const SECONDS = Number(process.argv[2] ?? 20);
/** Calls come one by one here, so that the time is that of a hint and not of a queue. */
const CALL_EVERY_MS = 50;
const CALLERS = 64;
const FLEETS = [1, 2, 4];
const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
let databases = 0;

const [installed] = installedServers();
if (installed === undefined) throw new Error("there is no PostgreSQL");
const postgres = await startServer(installed);
console.log(`${installed.name}, load ${load()} before\n`);
try {
  console.log("first byte, ms    p50   p99   max   calls");
  for (const hints of ["on", "off"]) await measureFirstBytes(hints);
  console.log("\nservers   calls/s   CPU of a call, us: servers   PostgreSQL");
  for (const count of FLEETS) await measureThroughput(count);
} finally {
  agent.destroy();
  await postgres.stop();
}

async function measureFirstBytes(hints) {
  await withFleet({ words: [["--accept"], ["--deliver"], ["--deliver"]], hints }, async ({ members, receiver }) => {
    const [url] = members.urls();
    const sent = new Map();
    const endAt = performance.now() + SECONDS * 1_000;
    for (let call = 0; performance.now() < endAt; call += 1) {
      const id = `m${call}`;
      sent.set(id, performance.now());
      await track(url, id);
      await pause(CALL_EVERY_MS);
    }
    await until(() => receiver.messages() === sent.size, "the last call");
    const times = [...sent].map(([id, at]) => receiver.arrivedAt(id) - at);
    const cells = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(0).padStart(6));
    console.log(`hints ${hints.padEnd(9)}${cells.join("")}${String(sent.size).padStart(8)}`);
  });
}

async function measureThroughput(count) {
  await withFleet({ words: Array.from({ length: count }, () => []), hints: "on" }, async ({ members, receiver }) => {
    const pids = members.pids();
    const cpu = { servers: followCpu(pids), postgres: followCpu([postgres.pid()]) };
    const startedAt = performance.now();
    const endAt = startedAt + SECONDS * 1_000;
    const urls = members.urls();
    let accepted = 0;
    const call = async (caller) => {
      for (let made = 0; performance.now() < endAt; made += 1) {
        if (await track(urls[(caller + made) % urls.length], `m${caller}-${made}`)) accepted += 1;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
    await until(() => receiver.messages() >= accepted, "the last call");
    const perCall = (ms) => ((ms * 1_000) / accepted).toFixed(0);
    const seconds = (performance.now() - startedAt) / 1_000;
    const servers = perCall(cpu.servers.usedMs());
    const database = perCall(cpu.postgres.usedMs());
    console.log(
      `${String(count).padEnd(10)}${(accepted / seconds).toFixed(0).padEnd(32)}${servers.padEnd(15)}${database}`,
    );
  });
}

/** A fleet on a new database, with a server for each of these words. */
async function withFleet({ words, hints }, act) {
  databases += 1;
  const name = `bench${databases}`;
  const pool = postgres.pool(1);
  await pool.query(`create database ${name}`);
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const receiver = await createReceiver();
  const store = `${postgres.url(name)}&hints=${hints}`;
  const members = createMembers(writeConfig(folder, { store, receiver: receiver.url }), words.length, words);
  try {
    await members.startAll();
    await act({ members, receiver });
  } finally {
    await members.stop();
    await receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether the call was accepted. */
function track(url, messageId) {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ messageId, userId: "u1", event: "Signed Up" });
    const headers = { authorization: `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}` };
    const sent = request(`${url}/v1/track`, { method: "POST", agent, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode === 200));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
