// CPU that processes and their children use from a moment on. Children that have ended count with the ticks that their parent is
// charged, since they have no files any more; a thread that ends in a living process counts as far as it was seen.

import { readdirSync, readFileSync } from "node:fs";
import { threadTimesOf } from "./thread-times.js";

/** The length of a tick of CPU time, on every Linux that Node runs on. */
const TICK_NS = 10_000_000;

/** `usedMs()` answers the CPU since now, in milliseconds. Linux only. */
export function followCpu(pids) {
  const before = readTrees(pids);
  return { usedMs: () => usedNs(before, readTrees(pids)) / 1e6 };
}

/** Nanoseconds between two readings of the threads of one process: of each thread that is alive at the end, by its id. */
export function usedByThread(before, after) {
  return new Map([...after].map(([tid, ns]) => [tid, ns - (before.get(tid) ?? 0)]));
}

function usedNs(before, after) {
  let ns = 0;
  for (const [pid, { threads, endedNs }] of after) {
    const earlier = before.get(pid) ?? { threads: new Map(), endedNs: 0 };
    ns += sum(usedByThread(earlier.threads, threads).values()) + endedNs - earlier.endedNs;
  }
  // The ticks that its parent is charged for a child that has ended are of its whole life.
  for (const [pid, { threads, endedNs }] of before) {
    if (!after.has(pid)) ns -= sum(threads.values()) + endedNs;
  }
  return Math.max(0, ns);
}

function readTrees(pids) {
  const rows = statRows();
  const trees = new Map();
  const visit = (pid) => {
    const row = rows.get(pid);
    if (row === undefined) return;
    trees.set(pid, { threads: threadTimesOf(pid), endedNs: row.endedNs });
    for (const [child, { parent }] of rows) if (parent === pid) visit(child);
  };
  pids.forEach(visit);
  return trees;
}

function statRows() {
  const rows = new Map();
  for (const name of readdirSync("/proc")) {
    const row = /^\d+$/.test(name) ? readStat(name) : undefined;
    if (row !== undefined) rows.set(Number(name), row);
  }
  return rows;
}

/** Fields 4, 16 and 17 of proc(5): the parent, then user and system time of children that have ended. */
function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), endedNs: (Number(fields[13]) + Number(fields[14])) * TICK_NS };
  } catch {
    return undefined;
  }
}

function sum(values) {
  return [...values].reduce((total, value) => total + value, 0);
}
