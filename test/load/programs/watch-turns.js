// Loaded before the server program (`--import`): notes how much CPU the main thread used between two turns of the event loop,
// and which requests were under way. CPU and not time, since others run on the machine; of this thread alone, since the
// store has one of its own. Node 20 tells the CPU of a thread only through WASI's clock, whose call takes a microsecond.

import diagnostics from "node:diagnostics_channel";
import { WASI } from "node:wasi";
import { isMainThread } from "node:worker_threads";

/** The header by which a request says how it wants to be called. */
const NAME = "x-expensive";
const KEPT = 10;
/** One in so many requests has all garbage collected while it is under way, a few turns after it began. */
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

  // One that does not keep the loop from waiting: it runs once in each turn that something else has woken.
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

/** Bytes on the heap of this thread and beside it, garbage left out. */
function live() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What this thread has used of the CPU, in milliseconds. */
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
