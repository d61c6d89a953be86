// Syncs of an audience far larger than memory: ten million members in random order, then again with one percent changed,
// half of them gone and half of them new. Measures how long sorting and comparing take, and in how much memory, against a
// plain Set; how long it takes with deliveries to a destination; and how long a call that another process accepts on the
// same file waits for its commit. `npm run bench -- audience`; MEMBERS=10000000 ROUNDS=1. Needs `tsc -b` first. Each
// figure is measured in a separate process. Imports from relay, to leave out the messages.

import { DatabaseSync } from "@photostructure/sqlite";
import { createSecret, DEFAULT_DELIVERY, DEFAULT_RETENTION } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { createRelay } from "@postrider/relay";
import { createSqliteAudienceStore, createSqliteStore } from "@postrider/sqlite";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAudienceStorage } from "../../packages/relay/dist/audiences/audience-storage.js";
import { collect, mergeRuns } from "../../packages/relay/dist/audiences/collect.js";
import { createDiff, setPages, snapshotPages } from "../../packages/relay/dist/audiences/pages.js";
import { dropSets } from "../../packages/relay/dist/audiences/sync-task.js";
import { SYNC_BOUNDS } from "../../packages/relay/dist/limits.js";
import { createLongWork } from "../../packages/relay/dist/loop.js";

const MEMBERS = Number(process.env.MEMBERS ?? 10_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 1);
/** The share of removed members, and that of new ones. */
const CHANGED = 0.005;
/** What a sync of all members may hold resident. */
const MAX_RESIDENT_MIB = 256;
const ACCEPT_EVERY_MS = 5;
const ACCEPTED_ALONE = 1_000;

/** V8 collects little garbage below some 200 MB: with this limit the real need is seen. */
const SMALL_HEAP_MB = 96;

const ARMS = { members, sets, diffs, smalls: diffs, syncs, accepts };
/** Only sets may take as much memory as they need. */
const HEAPS_MB = { sets: 8_192, smalls: SMALL_HEAP_MB };

async function compare() {
  console.log(`${availableParallelism()} cores, load ${loadavg().map(one).join(" ")}, Node ${process.version}`);
  const rows = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const total of [MEMBERS / 10, MEMBERS]) {
      rows[`${name(total)}: made, and no more`] = row(await run("members", total), total);
      rows[`${name(total)}: in order, compared`] = row(await inFolder((path) => run("diffs", total, path)), total);
      rows[`${name(total)}: in a heap of ${SMALL_HEAP_MB} MB`] = row(
        await inFolder((path) => run("smalls", total, path)),
        total,
      );
      rows[`${name(total)}: the same by a Set`] = row(await run("sets", total), total);
    }
    const total = MEMBERS / 10;
    rows[`${name(total)}: and told`] = row(await inFolder((path) => run("syncs", total, path)), total);
    console.table(rows);
    judge(rows[`${name(MEMBERS)}: in order, compared`]["peak, MB"]);
  }
  await beside();
  console.log(`load ${loadavg().map(one).join(" ")}`);
}

function judge(peakMb) {
  const mib = (peakMb * 1e6) / 2 ** 20;
  const verdict = mib <= MAX_RESIDENT_MIB ? "met" : "MISSED";
  console.log(
    `${name(MEMBERS)} compared, at most ${mib.toFixed(0)} MiB resident; asked: at most ${MAX_RESIDENT_MIB} MiB: ${verdict}`,
  );
}

/** Accepts calls, first alone, then while another process syncs on the same file. */
async function beside() {
  await inFolder(async (path) => {
    const { waits: alone } = await run("accepts", ACCEPTED_ALONE, path);
    const [{ waits }] = await withEnd(run("diffs", MEMBERS / 10, path), (end) => run("accepts", 0, path, end));
    console.table({ "a commit alone": alone, "beside a sync": waits });
  });
}

async function withEnd(first, begin) {
  const end = new AbortController();
  const second = begin(end.signal);
  await first.finally(() => end.abort());
  return [await second];
}

/** Runs an arm in a separate process; with a signal, it is told when to end. */
function run(which, total, path = "", signal = undefined) {
  const heapMb = HEAPS_MB[which];
  const flags = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`];
  const child = spawn(process.execPath, [...flags, fileURLToPath(import.meta.url), which, total, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  signal?.addEventListener("abort", () => child.stdin.end());
  let wrote = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (wrote += text));
  return new Promise((resolve, reject) => {
    child.once("close", (code) => (code === 0 ? resolve(JSON.parse(wrote)) : reject(new Error(`${which}: ${code}`))));
  });
}

async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "postrider-audience-"));
  try {
    return await work(join(folder, "postrider.db"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As a sync does it, but changes are only counted, not delivered. */
async function diffs(total, path) {
  const clock = createSystemClock();
  const store = createSqliteAudienceStore({ database: new DatabaseSync(path) });
  const storage = createAudienceStorage(store, { clock, emit: () => (busy += 1) });
  let known = [];
  let [syncs, busy] = [0, 0];

  async function once(from, phases) {
    syncs += 1;
    const record = { ...AUDIENCE, key: "regulars", syncs };
    const progress = ({ phase }) => phases(phase);
    const task = {
      storage,
      bounds: SYNC_BOUNDS,
      progress,
      lease: { record: () => record },
      work: createLongWork(clock, () => true),
    };
    const runs = valueOf(await collect(task, membersFrom(from, total)));
    const { set } = valueOf(await mergeRuns(task, runs));
    phases("comparing");
    const diff = createDiff(snapshotPages(storage, known, undefined), setPages(storage, set));
    let changes = 0;
    for (let step = valueOf(await diff(250)); ; step = valueOf(await diff(250))) {
      changes += step.changes.length;
      await task.work.yieldIfLong();
      if (step.isEnd) break;
    }
    await dropSets(
      task,
      known.map((part) => part.set),
    );
    known = [{ set, upTo: null }];
    return changes;
  }

  const result = await twice(total, once);
  const bytes = statSync(path).size;
  await store.close();
  return { ...result, bytes, busy };
}

/** A relay whose delivery store counts what it is given, and stores nothing. */
async function syncs(total, path) {
  let messages = 0;
  const store = {
    ...createMemoryStore({ disk: createMemoryDisk() }),
    commit: ({ accept }) => {
      messages += accept.length;
      return Promise.resolve({ ...NOTHING, accepted: accept.map(() => ({ kind: "duplicate" })) });
    },
  };
  const relay = createRelay({
    ...{ workspace: WORKSPACE, store, clock: createSystemClock(), random: createSystemRandom() },
    audiences: createSqliteAudienceStore({ database: new DatabaseSync(path) }),
    http: { send: () => Promise.reject(new Error("nothing is to be sent")) },
  });
  valueOf(await relay.createAudience(AUDIENCE));
  const result = await twice(total, async (from, phases) => {
    const before = messages;
    const onProgress = ({ phase }) => phases(phase);
    valueOf(await relay.syncAudience("regulars", membersFrom(from, total), { onProgress }));
    return messages - before;
  });
  const bytes = statSync(path).size;
  await relay.stop();
  return { ...result, bytes };
}

const AUDIENCE = { name: "Regulars", kind: "audience", sendsAs: "identify", destinations: ["crm"] };
const NOTHING = { replayed: [], settled: [], appended: [] };

const WORKSPACE = {
  sources: [],
  destinations: [
    {
      ...{ id: "crm", name: "Webhooks", enabled: true, paused: true, acceptsHistorical: true, sources: [] },
      ...{
        endpoints: [{ url: "https://crm.example/hook", headers: [] }],
        secrets: [createSecret("a long bench secret")],
      },
    },
  ],
  ...{ delivery: DEFAULT_DELIVERY, retention: DEFAULT_RETENTION },
};

/** The simple solution with enough memory. */
function sets(total) {
  let known = new Set();
  return twice(total, (from) => {
    const current = new Set(membersFrom(from, total));
    let changes = 0;
    for (const userId of current) if (!known.has(userId)) changes += 1;
    for (const userId of known) if (!current.has(userId)) changes += 1;
    known = current;
    return changes;
  });
}

/** The cost of making the members, which is part of every arm. */
function members(total) {
  return twice(total, (from) => {
    let units = 0;
    for (const userId of membersFrom(from, total)) units += userId.length;
    return units === 0 ? undefined : 0;
  });
}

/** A first sync, and one with some members gone and as many new; `once` returns the number of changes. */
async function twice(total, once) {
  const first = await timed((phases) => once(0, phases));
  const second = await timed((phases) => once(Math.floor(total * CHANGED), phases));
  return { first, second, peak: peak() };
}

/** Commits of one call each, `total` of them or until the input ends, and how long they took. */
async function accepts(total, path) {
  const store = createSqliteStore({ database: new DatabaseSync(path) });
  let hasEnded = false;
  process.stdin.resume().once("end", () => (hasEnded = true));
  const waits = [];
  let busy = 0;
  for (let call = 0; total > 0 ? call < total : !hasEnded; call += 1) {
    const startedAt = performance.now();
    while (!(await acceptOne(store, `${process.pid}-${call}`))) busy += 1;
    waits.push(performance.now() - startedAt);
    await pause(ACCEPT_EVERY_MS);
  }
  await store.close();
  process.stdin.destroy();
  const inOrder = waits.toSorted((fast, slow) => fast - slow);
  const at = (share) => `${one(inOrder[Math.min(inOrder.length - 1, Math.floor(share * inOrder.length))])} ms`;
  return { waits: { commits: waits.length, p50: at(0.5), p99: at(0.99), longest: at(1), "told busy": busy } };
}

/** Returns whether it was stored, and not shed. */
function acceptOne(store, messageId) {
  const now = Date.now();
  const deliveries = [{ destination: "crm", start: { kind: "waiting", dueAt: now } }];
  const message = { source: "web", messageId, type: "track", receivedAt: now, body: new Uint8Array(500), deliveries };
  const changes = { accept: [{ ...message, filtered: [] }], replay: [], settle: [], append: [], tally: [] };
  return store.commit({ ...changes, lease: { token: "bench", leaseMs: 30_000 } }, now).then(
    () => true,
    (error) => (error.code === "busy" ? false : fail(error)),
  );
}

/**
 * Users `from` to `from + total` in an order without a pattern, and without holding them in memory: a small cipher
 * permutes a power of four, and numbers beyond the last are skipped. Their ids are 24 hexadecimal digits.
 */
function* membersFrom(from, total) {
  const half = Math.ceil(Math.log2(total) / 2);
  const mask = (1 << half) - 1;
  for (let place = 0; place <= mask * (mask + 2); place += 1) {
    let [left, right] = [place >>> half, place & mask];
    for (let round = 1; round <= 4; round += 1)
      [left, right] = [right, left ^ (scatter(right + round * 0x9e37) & mask)];
    const index = (left << half) | right;
    if (index < total) yield userIdOf(from + index);
  }
}

const DIGITS = Buffer.from("0123456789abcdef");
const digits = Buffer.alloc(24);

function userIdOf(index) {
  writeHex(scatter(index), 0);
  writeHex(scatter(index ^ 0x5bd1e995), 8);
  writeHex(index, 16);
  return digits.latin1Slice(0, 24);
}

function writeHex(word, at) {
  for (let digit = 7, left = word; digit >= 0; digit -= 1, left >>>= 4) digits[at + digit] = DIGITS[left & 15];
}

function scatter(word) {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}

/** Seconds of the whole work and of each named phase; its processor time, and its result. */
async function timed(work) {
  const phases = [];
  const begin = (phase) => {
    if (phases.at(-1)?.phase !== phase) phases.push({ phase, at: performance.now() });
  };
  const used = process.cpuUsage();
  begin("collecting");
  const changes = await work(begin);
  const ends = [...phases.slice(1).map(({ at }) => at), performance.now()];
  const { user, system } = process.cpuUsage(used);
  return { changes, cpu: (user + system) / 1e6, seconds: phases.map(({ at }, index) => (ends[index] - at) / 1_000) };
}

function row({ first, second, bytes, peak: resident }, total) {
  return {
    "first, s": secondsOf(first),
    "cpu, s": one(first.cpu),
    "members/s": Math.round(total / sum(first.seconds)),
    "second, s": secondsOf(second),
    "cpu again, s": one(second.cpu),
    "members/s again": Math.round(total / sum(second.seconds)),
    changes: `${first.changes} + ${second.changes}`,
    "peak, MB": resident,
    "file, MB": bytes === undefined ? undefined : Math.round(bytes / 1e6),
  };
}

function secondsOf({ seconds }) {
  const all = one(sum(seconds));
  return seconds.length < 2 ? all : `${all} (${seconds.map(one).join(" + ")})`;
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** The peak memory of this process, by the kernel, in kilobytes. */
function peak() {
  return Math.round((process.resourceUsage().maxRSS * 1_024) / 1e6);
}

function name(total) {
  return total >= 1e6 ? `${total / 1e6} M` : String(total);
}

function one(value) {
  return value.toFixed(1);
}

function valueOf(result) {
  return result.match((value) => value, fail);
}

function fail(reason) {
  throw reason instanceof Error ? reason : new Error(JSON.stringify(reason));
}

const [, , arm, count, file] = process.argv;
if (arm === undefined) await compare();
else console.log(JSON.stringify(await ARMS[arm](Number(count), file)));
