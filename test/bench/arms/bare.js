// The bare loop as an arm.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { askOf, endProcess, messageOf, outlived } from "../processes.js";

const PROGRAM = fileURLToPath(new URL("bare-process.js", import.meta.url));

export function createBare(connections) {
  return { name: `bare ${connections}`, isBare: true, start: (receiverUrl) => start(connections, receiverUrl) };
}

async function start(connections, receiverUrl) {
  const child = outlived(fork(PROGRAM, [JSON.stringify({ receiverUrl, connections })]));
  await messageOf(child, "ready");
  return {
    pid: child.pid,
    /** Answers `{ posts, ms }`. */
    run: (forMs) => askOf(child, { forMs }, "ran"),
    stop: () => endProcess(child, "SIGKILL"),
  };
}
