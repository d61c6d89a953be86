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
export async function startMeter({ child, serverPids = [] }) {
  const before = await askProbe(child, "begin");
  const perf = PERF.missing === undefined ? await countInstructions(child.pid) : undefined;
  const servers = TELLS_THREADS ? followCpu(serverPids) : undefined;
  const times = threadTimesOf(child.pid);
  return {
    async read(calls) {
      const used = usedByThread(times, threadTimesOf(child.pid));
      const serverMs = servers?.usedMs();
      const names = new Map([...used.keys()].map((tid) => [tid, threadNameOf(child.pid, tid)]));
      const counts = await perf?.end();
      const { threads, cpuMs, loopDelayMs } = await askProbe(child, "end");
      const split = (values, perUnit) => {
        const roles = byRole(values, threads, (tid) => names.get(tid) ?? "");
        return Object.fromEntries(Object.entries(roles).map(([role, value]) => [role, value / perUnit / calls]));
      };
      const wholeUs = TELLS_THREADS ? sum(used.values()) / 1_000 : (cpuMs - before.cpuMs) * 1_000;
      return {
        loopDelayMs,
        cpuUs: {
          process: wholeUs / calls,
          servers: serverMs === undefined ? serverPids.length * NaN : (serverMs * 1_000) / calls,
          ...(TELLS_THREADS
            ? { threads: split(used, 1_000), busiest: Math.max(0, ...used.values()) / 1_000 / calls }
            : {}),
        },
        ...(counts === undefined
          ? {}
          : { kinst: { process: sum(counts.values()) / 1_000 / calls, threads: split(counts, 1_000) } }),
      };
    },
  };
}

/** `usedMs()` resolves to the CPU of a child that has the probe, since now. */
export async function followChild(child) {
  if (TELLS_THREADS) {
    const cpu = followCpu([child.pid]);
    return { usedMs: () => Promise.resolve(cpu.usedMs()) };
  }
  const before = await askProbe(child, "read");
  return { usedMs: async () => (await askProbe(child, "read")).cpuMs - before.cpuMs };
}

function sum(values) {
  return [...values].reduce((total, value) => total + value, 0);
}
