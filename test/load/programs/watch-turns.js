// Loaded before the server program (`--import`): measures the CPU time of the main thread between two turns of the event
// loop, and records the requests under way. CPU time, since other programs run on the machine; only of this thread, since
// the store has another thread. Node 20 shows the CPU time of a thread only by WASI's clock, whose call takes a microsecond.

import diagnostics from "node:diagnostics_channel";
import { WASI } from "node:wasi";
import { isMainThread } from "node:worker_threads";

/** The header with the name of a request in the records. */
const NAME = "x-expensive";
const KEPT = 10;
/** All garbage is collected during one of this many requests, a few turns after its start. */
const COLLECT_EVERY = 40;
const COLLECT_TURNS = 6;
const THREAD_CPU = 3;
const MICROSECOND = 1_000n;

if (isMainThread && process.send !== undefined) watch(createCpuClock());

function watch(cpuMs) {
  const open = new Map();
  let during = new Set();
  let last = "start";
  let begun = 0;
  let collectIn = Infinity;
  let told = nothing();
  let cpuAt = cpuMs();

  diagnostics.channel("http.server.request.start").subscribe(({ request }) => {
    last = request.headers[NAME] ?? request.url;
    open.set(request, last);
    during.add(last);
    begun += 1;
    if (begun % COLLECT_EVERY === 0) collectIn = 1 + ((begun / COLLECT_EVERY) % COLLECT_TURNS);
  });
  diagnostics.channel("http.server.response.finish").subscribe(({ request }) => open.delete(request));
  process.on("message", (word) => {
    if (word === "measure") process.send({ kind: "measured", ...told, live: live() });
    if (word === "begin") told = nothing();
    cpuAt = cpuMs();
  });

  // It does not keep the event loop awake: it runs once in each turn that another event has started.
  setImmediate(endTurn).unref();

  function endTurn() {
    const spent = cpuMs() - cpuAt;
    note(spent);
    collectIn -= 1;
    if (collectIn <= 0 && open.size > 0) collect();
    during = new Set(open.values());
    setImmediate(endTurn).unref();
    cpuAt = cpuMs();
  }

  function note(spent) {
    told.turns += 1;
    const least = told.worst.at(-1);
    if (told.worst.length === KEPT && spent <= least.cpuMs) return;
    const requests = during.size > 0 ? [...during] : [`after ${last}`];
    told.worst = [...told.worst, { cpuMs: spent, requests }].sort((one, other) => other.cpuMs - one.cpuMs);
    told.worst.length = Math.min(told.worst.length, KEPT);
  }

  function collect() {
    collectIn = Infinity;
    const bytes = live();
    if (bytes > told.highest.bytes) told.highest = { bytes, requests: [...open.values()] };
  }
}

function nothing() {
  return { turns: 0, worst: [], highest: { bytes: 0, requests: [] } };
}

/**
 * Bytes on the heap of this thread and outside of it, without garbage. Two collections: after the first, the bytes outside
 * whose owners it has just found dead still count (measured: 103.6 MB after the first, 14.4 MB after the second).
 */
function live() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The CPU time of this thread, in milliseconds. */
function createCpuClock() {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const wasi = new WASI({ version: "preview1" });
  wasi.initialize({ exports: { memory } });
  const view = new DataView(memory.buffer);
  return () => {
    const fault = wasi.wasiImport.clock_time_get(THREAD_CPU, MICROSECOND, 0);
    if (fault !== 0) throw new Error(`no CPU clock of a thread: ${String(fault)}`);
    return Number(view.getBigUint64(0, true)) / 1_000_000;
  };
}
