// What a call costs a measured process: CPU of its threads by role, of its servers, instructions where they can be counted, and how late
// its event loop was, between two moments. Where the system tells nothing of threads, the process tells its CPU as a whole.

import { countInstructions, findPerf } from "./instructions.js";
import { followCpu, usedByThread } from "./follow-cpu.js";
import { askProbe } from "./probed.js";
import { byRole } from "./roles.js";
import { TELLS_THREADS, threadNameOf, threadTimesOf } from "./thread-times.js";

/** Why instructions are not counted, if they are not. */
export const PERF = findPerf();

/** Begins a measurement of a child that has the probe; `read(calls)` ends it, and answers what each of these calls cost. */
export async function startMeter({ child, serverPids = [] }, tellsThreads = TELLS_THREADS) {
  const before = await askProbe(child, "begin");
  const perf = PERF.missing === undefined ? await countInstructions(child.pid) : undefined;
  const servers = tellsThreads ? followCpu(serverPids) : undefined;
  const times = threadTimesOf(child.pid);
  return {
    async read(calls) {
      const used = usedByThread(times, threadTimesOf(child.pid));
      const serverMs = servers?.usedMs() ?? unknownOf(serverPids);
      const names = new Map([...used.keys()].map((tid) => [tid, threadNameOf(child.pid, tid)]));
      const counts = await perf?.end();
      const { threads, cpuMs, loopDelayMs } = await askProbe(child, "end");
      const split = (values) => splitOf(values, { threads, names, per: 1_000 * calls });
      const whole = { process: ((cpuMs - before.cpuMs) * 1_000) / calls };
      const own = tellsThreads ? split(used) : whole;
      return {
        loopDelayMs,
        cpuUs: { ...own, servers: (serverMs * 1_000) / calls },
        ...(counts === undefined ? {} : { kinst: split(counts) }),
      };
    },
  };
}

/** The values of threads in sum, by role, and that of the busiest; nanoseconds and instructions, in thousands a call. */
function splitOf(values, { threads, names, per }) {
  const roles = byRole(values, threads, (tid) => names.get(tid) ?? "");
  const all = [...values.values()];
  return {
    process: all.reduce((total, value) => total + value, 0) / per,
    threads: Object.fromEntries(Object.entries(roles).map(([role, value]) => [role, value / per])),
    busiest: Math.max(0, ...all) / per,
  };
}

/** What servers use where the system does not tell it. */
function unknownOf(serverPids) {
  return serverPids.length === 0 ? 0 : NaN;
}

/** `usedMs()` resolves to the CPU of a child that has the probe, since now. */
export async function followChild(child, tellsThreads = TELLS_THREADS) {
  if (tellsThreads) {
    const cpu = followCpu([child.pid]);
    return { usedMs: () => Promise.resolve(cpu.usedMs()) };
  }
  const before = await askProbe(child, "read");
  return { usedMs: async () => (await askProbe(child, "read")).cpuMs - before.cpuMs };
}
