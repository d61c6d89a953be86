// Makes a stored file with the code of an earlier commit: `node test/files/make.js BUNDLE FILE`. BUNDLE is that commit's
// `packages/sqlite`, bundled with its `packages/core` into one module; see README.md here. It uses only what every version
// has, or what the bundle exports.

import { DatabaseSync } from "@photostructure/sqlite";
import { pathToFileURL } from "node:url";

const [bundle, file] = process.argv.slice(2);
const code = await import(pathToFileURL(bundle).href);

const NOW = 1_763_724_404_000;
const lease = { token: "left-behind", leaseMs: 30_000 };

async function makeCalls() {
  const storage = code.createSqliteCallStorage({ database: new DatabaseSync(file) });
  const call = (name) => ({ messageId: name, type: "track", json: JSON.stringify({ event: `event of ${name}` }) });
  await storage.change({ keep: ["c-1", "c-2", "c-3"].map(call), drop: [] });
  await storage.change({ keep: [], drop: ["c-2"] });
  await storage.close();
}

async function makeStore() {
  const store = code.createSqliteStore({ database: new DatabaseSync(file), shared: true });
  const calls = ["tried", "untried", "left", "delivered", "dead", "filtered", "of-ann"];
  await store.commit(changes({ accept: calls.map(message) }), NOW);
  // The lease of what is claimed here and not settled ends by itself, as after a crash.
  const { deliveries } = await store.claim({ ...lease, lanes: [{ lane: "crm", limit: 99 }] }, NOW);
  const settle = deliveries.flatMap(settlements);
  await store.commit(changes({ settle, tally: [{ source: "web", refused: 2, suppressed: 0, shed: 1 }] }), NOW + 10);
  await store.deletions?.open({ id: "d-1", regulation: "delete-only", userIds: ["ann"], sources: null }, NOW + 20);
  await store.pauses?.add("elsewhere", NOW + 30);
  await store.replayJobs?.create(REPLAY_JOB);
  for (const expect of [0, 1]) await store.settings?.put({ ...SETTINGS, expect }, NOW + 50 + expect);
  await store.board?.write([{ lane: "crm", revision: 1, limit: 8, holds: [] }]);
  await makeAudience();
  await store.close();
}

async function makeAudience() {
  if (code.createSqliteAudienceStore === undefined) return;
  const store = code.createSqliteAudienceStore({ database: new DatabaseSync(file) });
  await store.create({
    ...{ key: "vip", id: "vip", name: "VIP", kind: "audience", sendsAs: "identify", destinations: [] },
    ...{ createdAt: NOW, revision: 1, syncs: 0, running: null, last: null, told: [] },
  });
  await store.append("vip/1", [{ userId: "bob" }, { userId: "eve", value: "7" }]);
  await store.close();
}

function changes(some) {
  return { accept: [], replay: [], settle: [], append: [], tally: [], lease, ...some };
}

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** To two destinations; erp's deliveries are never tried. */
function message(name) {
  const userId = name === "of-ann" ? "ann" : "bob";
  const body = new TextEncoder().encode(JSON.stringify({ type: "track", messageId: name, userId, event: "Signed Up" }));
  const start = { kind: "waiting", dueAt: NOW };
  const isFiltered = name === "filtered";
  return {
    ...{ source: "web", messageId: name, type: "track", receivedAt: NOW, body, userIds: [userId] },
    ...(name === "left" ? { traceparent: TRACEPARENT } : {}),
    deliveries: isFiltered ? [] : ["crm", "erp"].map((destination) => ({ destination, start })),
    filtered: isFiltered ? [{ destination: "crm", reason: "historical" }] : [],
  };
}

/** A job that no process has begun. */
const REPLAY_JOB = {
  ...{ id: "job-1", revision: 1, state: "running", createdAt: NOW + 40, expected: 1, replayed: 0, skipped: 0 },
  filter: { states: ["dead"], destination: "crm", acceptedBefore: NOW + 40 },
};

const SETTINGS = { document: '{"sources":[],"destinations":[]}', actor: "ann \u0000" };

const OUTCOMES = {
  tried: { status: 503, verdict: "retry", outcome: { kind: "rescheduled", dueAt: NOW + 60_000, detail: "503" } },
  delivered: { status: 200, verdict: "success", outcome: { kind: "delivered", detail: "200" } },
  dead: { status: 400, verdict: "refused", outcome: { kind: "dead", reason: "refused", detail: "400" } },
};

function settlements({ id, messageId }) {
  const settled = OUTCOMES[messageId];
  if (settled === undefined) return [];
  const { status, verdict, outcome } = settled;
  const endpoint = "https://crm.test/";
  const attempt = { round: 1, endpoint, startedAt: NOW, durationMs: 5, result: { kind: "answered", status }, verdict };
  const excerpt = new TextEncoder().encode(`answer to ${messageId}`);
  const endpoints = verdict === "success" ? [] : [{ endpoint, refused: verdict === "refused", excerpt }];
  return [{ id, token: lease.token, outcome, attempts: [attempt], endpoints }];
}

if (file.includes("calls-")) await makeCalls();
else await makeStore();
