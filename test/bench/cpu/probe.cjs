// Loaded before a program that is measured, into each of its threads: says which thread is which, what CPU the process has used by its
// own account, and how late its event loop was. It answers its parent by IPC, which keeps the program alive until the parent disconnects.

const { readdirSync, readlinkSync } = require("node:fs");
const { monitorEventLoopDelay } = require("node:perf_hooks");
const { BroadcastChannel, isMainThread } = require("node:worker_threads");

const CHANNEL = "postrider-bench-probe";
/** How often the loop is looked at; the time beyond that is the delay. */
const RESOLUTION_MS = 1;
/** Several looks at the loop: the first after the begin is not counted, and what delays the last is not seen before it is over. */
const SETTLING_MS = 5;

if (isMainThread) answerParent();
else tellMain();

/** Preloaded before Node starts any pool but V8's: what runs beside the main thread at this moment is V8's and Node's own. */
function answerParent() {
  if (process.send === undefined) return;
  const main = ownThread();
  const v8 =
    main === undefined
      ? []
      : readdirSync("/proc/self/task")
          .map(Number)
          .filter((tid) => tid !== main);
  const workers = [];
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => workers.push(data);
  channel.unref();
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const answer = (probe) => {
    process.send({ kind: probe, threads: { main, workers, v8 }, ...readings(delays) });
    if (probe === "end") delays.disable();
  };
  process.on("message", ({ probe }) => {
    if (probe === "begin") {
      delays.enable();
      delays.reset();
    }
    if (probe !== undefined) setTimeout(answer, SETTLING_MS, probe);
  });
}

function readings(delays) {
  const { user, system } = process.cpuUsage();
  const late = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return { cpuMs: (user + system) / 1_000, loopDelayMs: { p99: late(delays.percentile(99)), max: late(delays.max) } };
}

function tellMain() {
  const channel = new BroadcastChannel(CHANNEL);
  const tid = ownThread();
  if (tid !== undefined) channel.postMessage(tid);
  channel.close();
}

/** The system's id of this thread; undefined where the system does not tell it. */
function ownThread() {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return undefined;
  }
}
