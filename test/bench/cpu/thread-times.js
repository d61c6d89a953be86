// CPU of each thread of a process, in nanoseconds, as Linux's scheduler counts it: /proc/PID/task/*/schedstat. It knows no roles of
// threads. A tick of /proc/PID/stat is 10 ms long, which is too coarse for the CPU of single threads.

import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Whether this system tells it. */
export const TELLS_THREADS = existsSync("/proc/self/task") && existsSync(`/proc/${process.pid}/schedstat`);

/** Nanoseconds of each thread that is alive, by its id; none if the process has ended. */
export function threadTimesOf(pid) {
  const times = new Map();
  for (const tid of namesIn(`/proc/${pid}/task`)) {
    const text = textOf(`/proc/${pid}/task/${tid}/schedstat`);
    if (text !== undefined) times.set(Number(tid), Number(text.split(" ")[0]));
  }
  return times;
}

/** The name that the system shows for a thread; empty if it has ended. */
export function threadNameOf(pid, tid) {
  return textOf(`/proc/${pid}/task/${tid}/comm`)?.trim() ?? "";
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
