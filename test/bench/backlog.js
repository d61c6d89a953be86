// A million waiting deliveries: how long it takes to fill a file with them, to open it, to claim from it, and how much
// memory the server needs that delivers them. `npm run bench -- backlog [deliveries] [lanes]`; needs `tsc -b` first.

import { DatabaseSync } from "@photostructure/sqlite";
import { createSqliteStore } from "@postrider/sqlite";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const DELIVERIES = Number(process.argv[2] ?? 1_000_000);
const LANES = Number(process.argv[3] ?? 1);
const BODY_BYTES = 600;
const ROWS_OF_A_COMMIT = 10_000;
const CLAIMS = 40;
const DELIVERED = 40_000;
const MAX_WAIT_MS = 300_000;
const TOKEN = "bench-token";

const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
const file = join(folder, "postrider.db");
try {
  await fill();
  await claim();
  await deliver();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Message ids are random, as callers make them: each is on another page of its index. */
async function fill() {
  const store = openStore();
  const startedAt = performance.now();
  const now = Date.now();
  for (let made = 0; made < DELIVERIES; made += ROWS_OF_A_COMMIT) {
    const rows = Math.min(ROWS_OF_A_COMMIT, DELIVERIES - made);
    const accept = Array.from({ length: rows }, (_, index) => messageTo(laneOf(made + index), now));
    await store.commit({ accept, replay: [], settle: [], append: [], tally: [], lease: lease("fill") }, now);
  }
  await store.close();
  const bytes = statSync(file).size;
  say(`fill ${DELIVERIES} in ${LANES} lanes`, `${seconds(startedAt)} s, ${megabytes(bytes)} MB`);
}

function messageTo(destination, now) {
  const messageId = randomUUID();
  const body = new TextEncoder().encode(JSON.stringify({ messageId, text: "x".repeat(BODY_BYTES - 64) }));
  const deliveries = [{ destination, start: { kind: "waiting", dueAt: now } }];
  return { source: "website", messageId, type: "track", receivedAt: now, body, deliveries, filtered: [] };
}

async function claim() {
  const startedAt = performance.now();
  const store = openStore();
  say("open the store", `${milliseconds(startedAt)} ms`);
  for (const limit of [1, 32, 512]) {
    const times = [];
    for (let turn = 0; turn < CLAIMS; turn += 1) {
      const lanes = [{ lane: laneOf(turn), limit }];
      const before = performance.now();
      await store.claim({ ...lease(`${limit}-${turn}`), leaseMs: 1, lanes }, Date.now());
      times.push(performance.now() - before);
    }
    say(`claim ${limit}`, `p50 ${quantile(times, 0.5)} ms, p99 ${quantile(times, 0.99)} ms`);
  }
  await store.close();
}

async function deliver() {
  let received = 0;
  const receiver = createServer((request, response) => {
    received += 1;
    request.resume().on("end", () => response.writeHead(200).end());
  });
  await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  writeFileSync(join(folder, "postrider.json"), JSON.stringify(configFor(receiver.address().port)));

  const startedAt = performance.now();
  const program = ["packages/postrider/bin/postrider.js", "serve", "--config", join(folder, "postrider.json")];
  const server = spawn(process.execPath, program, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await new Promise((resolve, reject) => {
      createInterface({ input: server.stdout }).once("line", resolve);
      server.once("exit", () => reject(new Error("the server has ended")));
    });
    say("start the server", `${milliseconds(startedAt)} ms, then ${residentMegabytes(server.pid)} MB resident`);
    const peaks = [];
    const begunAt = performance.now();
    while (received < DELIVERED && performance.now() - begunAt < MAX_WAIT_MS) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      peaks.push(residentMegabytes(server.pid));
    }
    const parts = quarters(peaks).map((part) => Math.max(...part));
    say(
      `deliver ${received}`,
      `${seconds(begunAt)} s; resident at most ${parts.join(", then ")} MB, a quarter of it each`,
    );
  } finally {
    server.kill("SIGKILL");
    receiver.close();
    receiver.closeAllConnections();
  }
}

function quarters(values) {
  const size = Math.ceil(values.length / 4);
  return [0, 1, 2, 3].map((quarter) => values.slice(quarter * size, (quarter + 1) * size));
}

function configFor(port) {
  const destinations = Array.from({ length: LANES }, (_, lane) => ({
    id: `lane-${lane}`,
    sources: ["website"],
    endpoints: [{ url: `http://127.0.0.1:${port}/` }],
  }));
  return {
    listen: { host: "127.0.0.1", port: 0 },
    store: "sqlite:./postrider.db",
    apiToken: TOKEN,
    sources: [{ id: "website", writeKey: "bench-key" }],
    destinations,
    network: { allow: ["127.0.0.0/8"] },
  };
}

function openStore() {
  return createSqliteStore({ database: new DatabaseSync(file) });
}

function laneOf(index) {
  return `lane-${index % LANES}`;
}

function lease(token) {
  return { token, leaseMs: 30_000 };
}

function residentMegabytes(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1_000);
}

function quantile(values, share) {
  return values.toSorted((one, other) => one - other)[Math.ceil(share * values.length) - 1].toFixed(1);
}

function seconds(since) {
  return ((performance.now() - since) / 1_000).toFixed(1);
}

function milliseconds(since) {
  return (performance.now() - since).toFixed(0);
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(0);
}

function say(what, figures) {
  console.log(`${what}: ${figures}`);
}
