// Ends this process if a mutant takes longer than its limit, even if its loop never turns again: the watchdog is a thread. It
// writes the verdict into the journal before.

import { appendFileSync } from "node:fs";
import { isMainThread, Worker, workerData } from "node:worker_threads";

const LOOKS_EACH_MS = 250;
const RESTING = 0;
/** The places of what is shared: until when, in seconds of the system, and the mutant. */
const UNTIL = 0;
const MUTANT = 1;

/** @param {{ readonly journal: string, readonly path: string }} told - where it writes, and the test file that it names */
export function startWatchdog(told) {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(new URL(import.meta.url), { workerData: { ...told, shared, mutationWatch: true } });
  thread.unref();
  return {
    watch(id, ms) {
      Atomics.store(shared, MUTANT, Number(id));
      Atomics.store(shared, UNTIL, Math.ceil((Date.now() + ms) / 1_000));
    },
    rest: () => void Atomics.store(shared, UNTIL, RESTING),
    end: () => void thread.terminate(),
  };
}

if (!isMainThread && workerData?.mutationWatch === true) setInterval(look, LOOKS_EACH_MS);

function look() {
  const { shared, journal, path } = workerData;
  const until = Atomics.load(shared, UNTIL);
  if (until === RESTING || Date.now() < until * 1_000) return;
  const id = String(Atomics.load(shared, MUTANT));
  const entry = { path, id, verdict: "timed out", isNoticed: true, hits: 1, by: "the watchdog" };
  appendFileSync(journal, `${JSON.stringify(entry)}\n`);
  process.kill(process.pid, "SIGKILL");
}
