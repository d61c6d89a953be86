// The bare loop as an arm: POSTs without calls, a store or a signature to compute, in the circumstances of the arm beside it.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { probedEnv } from "../cpu/probed.js";
import { askOf, endProcess, messageOf, outlived } from "../processes.js";

const PROGRAM = fileURLToPath(new URL("bare-process.js", import.meta.url));

/** `bodyBytes` is about how long a message is; as short as the sample if it is absent. */
export function createBare(connections, { bodyBytes } = {}) {
  const start = ({ url, ca }) => startBare({ receiverUrl: url, ca, connections, bodyBytes });
  return { name: `bare ${connections}`, isBare: true, start };
}

async function startBare(settings) {
  const child = outlived(fork(PROGRAM, [JSON.stringify(settings)], { env: probedEnv() }));
  await messageOf(child, "ready");
  return {
    child,
    /** Answers `{ posts, ms }`. */
    run: (forMs) => askOf(child, { forMs }, "ran"),
    stop: () => endProcess(child, "SIGKILL"),
  };
}
