// Benchmark 5: the cost of size. Throughput beside a file full of deliveries that may not be sent, how long a claim among
// them takes, how fast they drain, how much memory the server needs; and throughput with more and more destinations.

import { DatabaseSync } from "@photostructure/sqlite";
import { createSqliteStore } from "@postrider/sqlite";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startOurs } from "./arms/ours.js";
import { fillFile } from "./fill.js";
import { now } from "./now.js";
import { pour } from "./pour.js";
import { residentMegabytes, until } from "./processes.js";
import { inRounds } from "./rounds.js";
import { configFor, keyOf, SOURCE } from "./scene.js";
import { DESTINATIONS, RUN_MS, WAITING, WARM_UP_MS } from "./settings.js";
import { quantile } from "./statistics.js";

const STOCK = "stock";
const CLAIMS = 40;
/** Deliveries of one claim. */
const CLAIM_LIMITS = [1, 32, 512];
/**
 * Beyond this number, a file is used as the run before left it: a run changes little of it, and copies would take hours.
 */
const MAX_COPIED = 1_000_000;
/** How many deliveries the smallest file can drain during its measurement. */
const DRAINED = 8_000;
/** Each source has a destination, and a request is of one source: with more, a round over all takes longer. */
const MAX_KEYS = 10_000;

export async function measureScale({ receiver, tell }) {
  const waiting = await measureWaiting(receiver, tell);
  const destinations = await measureDestinations(receiver, tell);
  return { waiting, destinations };
}

async function measureWaiting(receiver, tell) {
  const files = new Map();
  try {
    for (const count of WAITING) {
      tell(`filling a file with ${count}`);
      files.set(count, await fillFile(count, () => ({ source: SOURCE, destination: STOCK })));
    }
    const run = ({ count }) => runBeside(files.get(count).file, count, receiver);
    const rounds = await inRounds(named(WAITING), { run, describe: describeWith("waiting"), tell });
    return { arms: WAITING.map(String), rounds };
  } finally {
    for (const { remove } of files.values()) remove();
  }
}

function named(counts) {
  return counts.map((count) => ({ name: String(count), count }));
}

function describeWith(what) {
  return ({ postsPerSecond }) => `${what}: ${Math.round(postsPerSecond)}/s`;
}

async function runBeside(store, waiting, receiver) {
  const isShared = waiting > MAX_COPIED;
  const claims = await timeClaims(store, isShared);
  const drained = await drain({ store, isShared }, waiting, receiver);
  const config = configFor(receiver.url, { more: [stockTo(receiver.url, { paused: true })] });
  return { ...(await runServer(config, { stock: { store, isShared }, receiver })), claims, drained };
}

/** The backlog, as a destination that gets no new calls. */
function stockTo(url, settings) {
  return { id: STOCK, sources: [], endpoints: [{ url: `${url}/stock` }], ...settings };
}

async function runServer(config, { stock, receiver, writeKeys }) {
  await receiver.keep("nothing");
  const running = await startOurs(config, stock);
  const settledBefore = await running.settled();
  try {
    const warm = await pour(running.url, receiver, { forMs: WARM_UP_MS, writeKeys });
    await delivered(running, receiver, { calls: warm, settledBefore });
    const startedAt = now();
    const calls = await pour(running.url, receiver, { forMs: RUN_MS, writeKeys });
    await delivered(running, receiver, { calls: warm + calls, settledBefore });
    return {
      postsPerSecond: (calls / (now() - startedAt)) * 1_000,
      residentMegabytes: residentMegabytes(running.child.pid),
    };
  } finally {
    await running.stop();
  }
}

async function delivered(running, receiver, { calls, settledBefore }) {
  await until(() => receiver.received() >= calls, `the last of ${calls} deliveries`, 1);
  const settled = calls + settledBefore;
  await until(async () => (await running.settled()) >= settled, `the last of ${calls} settlements`, 2);
}

/** How fast a server delivers its backlog, from its first delivery on. */
async function drain(stock, waiting, receiver) {
  await receiver.keep("nothing");
  const running = await startOurs(configFor(receiver.url, { more: [stockTo(receiver.url, {})] }), stock);
  const goal = Math.min(waiting, DRAINED);
  try {
    await until(() => receiver.received() > 0, "a delivery", 1);
    const [from, startedAt] = [receiver.received(), now()];
    await until(() => receiver.received() >= goal, `${goal} deliveries`, 1);
    return { postsPerSecond: ((receiver.received() - from) / (now() - startedAt)) * 1_000 };
  } finally {
    await running.stop();
  }
}

/** The time of a claim, p50 and p99 in milliseconds, for each limit. Each is a commit with a sync. */
async function timeClaims(file, isShared) {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-claims-"));
  const claimed = isShared ? file : join(folder, "postrider.db");
  if (!isShared) copyFileSync(file, claimed);
  const store = createSqliteStore({ database: new DatabaseSync(claimed) });
  const results = {};
  for (const limit of CLAIM_LIMITS) {
    const times = [];
    for (let turn = 0; turn < CLAIMS; turn += 1) {
      const before = now();
      const lanes = [{ lane: STOCK, limit }];
      await store.claim({ token: `${limit}-${turn}`, leaseMs: 1, lanes }, Date.now());
      times.push(now() - before);
    }
    results[limit] = { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  }
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  return results;
}

async function measureDestinations(receiver, tell) {
  const run = ({ count }) => {
    const config = configFor(receiver.url, { sources: count, pathOf: (index) => `/${index}` });
    const writeKeys = Array.from({ length: Math.min(count, MAX_KEYS) }, (_, index) => keyOf(index));
    return runServer(config, { receiver, writeKeys });
  };
  const rounds = await inRounds(named(DESTINATIONS), { run, describe: describeWith("destinations"), tell });
  return { arms: DESTINATIONS.map(String), rounds };
}
