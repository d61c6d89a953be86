// Processes that the bench starts, and their memory.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { now } from "./now.js";
import { PATIENCE_MS } from "./settings.js";

export function residentMegabytes(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1_000);
}

/** Checks again and again; rejects after PATIENCE_MS. */
export async function until(isTrue, what, everyMs = 5) {
  const giveUpAt = now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (now() > giveUpAt) throw new Error(`waited in vain for ${what}`);
    await sleep(everyMs);
  }
}

const running = new Map();
process.once("exit", () => running.forEach((signal, child) => child.kill(signal)));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** Ends a process with the bench, however the bench ends. Returns the process. */
export function outlived(child, signal = "SIGKILL") {
  running.set(child, signal);
  child.once("exit", () => running.delete(child));
  return child;
}

/** A message of this kind from a process; rejects if it ends before. */
export function messageOf(child, kind) {
  return new Promise((resolve, reject) => {
    child.on("message", listen);
    child.once("exit", fail);

    function listen(message) {
      if (message.kind === kind) leave(() => resolve(message));
    }

    function fail() {
      leave(() => reject(new Error(`a process has ended that should have said ${kind}`)));
    }

    function leave(end) {
      child.off("message", listen);
      child.off("exit", fail);
      end();
    }
  });
}

/** Sends a message to a process and waits for a message of this kind. */
export function askOf(child, question, kind) {
  if (!child.connected) return Promise.reject(new Error("a process has ended that was to be asked"));
  const answer = messageOf(child, kind);
  child.send(question);
  return answer;
}

/** Asks a process to end; it is killed if it does not. */
export async function endProcess(child, signal = "SIGTERM") {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const late = setTimeout(() => child.kill("SIGKILL"), 15_000);
  await ended;
  clearTimeout(late);
}
