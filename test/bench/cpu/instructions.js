// Instructions in user mode that the threads of a process execute, counted by `perf`: unlike CPU time, other programs hardly change
// them. Where perf is not installed, not allowed, or the machine has no counters, it says which.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { outlived } from "../processes.js";

const EVENT = "instructions:u";
/** How long perf takes to attach, with a wide margin. */
const ATTACHED_AFTER_MS = 250;

/** `{}` if they can be counted, else `{ missing }` says why not. */
export function findPerf() {
  const { error, status, stderr } = spawnSync("perf", ["stat", "-x", ",", "-e", EVENT, "--", "true"], {
    encoding: "utf8",
  });
  if (error !== undefined) return { missing: "perf is not installed" };
  if (/not supported|not counted/.test(stderr)) return { missing: "this machine has no counter of instructions" };
  if (status !== 0) return { missing: `perf says: ${stderr.trim().split("\n")[0]}` };
  return {};
}

/** Begins to count; `end()` answers how many each thread has executed since, by its id. */
export async function countInstructions(pid) {
  const words = ["stat", "-x", ",", "-e", EVENT, "--per-thread", "-p", String(pid)];
  const perf = outlived(spawn("perf", words, { stdio: ["ignore", "ignore", "pipe"] }));
  const ended = once(perf, "close");
  let told = "";
  perf.stderr.setEncoding("utf8").on("data", (text) => (told += text));
  await Promise.race([sleep(ATTACHED_AFTER_MS), ended]);
  return {
    async end() {
      // It prints what it has counted, and ends.
      perf.kill("SIGINT");
      await ended;
      return readCounts(told);
    },
  };
}

/** Reads the table of `perf stat -x , --per-thread`: a line is `NAME-TID,COUNT,…`. Answers counts by thread id. */
export function readCounts(text) {
  const counts = new Map();
  for (const line of text.split("\n")) {
    const [, tid, count] = /-(\d+),(\d+),/.exec(line) ?? [];
    if (tid !== undefined) counts.set(Number(tid), Number(count));
  }
  return counts;
}
