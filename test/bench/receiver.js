// The receiver for the bench: a process that it starts, queries and ends.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { probedEnv } from "./cpu/probed.js";
import { askOf, endProcess, messageOf, outlived } from "./processes.js";

const PROGRAM = fileURLToPath(new URL("receiver-process.js", import.meta.url));

/** Starts it; resolves once it listens. */
export async function startReceiver() {
  const child = outlived(fork(PROGRAM, { env: probedEnv() }));
  let received = 0;
  let onProgress;
  child.on("message", (message) => {
    if (message.kind !== "progress") return;
    received = message.received;
    onProgress?.();
  });
  const { port, securePort, ca } = await messageOf(child, "listening");
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    /** Over TLS, with the certificate of its authority. */
    secure: { url: `https://127.0.0.1:${securePort}`, ca },
    /** Requests answered since `keep`, as of a moment ago. */
    received: () => received,
    /** Calls `listener` when there are more. */
    onProgress: (listener) => void (onProgress = listener),
    /**
     * Drops earlier records, and from then on records "nothing", the "times" or whole "requests"; answers after `delayMs`, with the answer
     * of this name.
     */
    async keep(what, { delayMs = 0, answer = "short" } = {}) {
      await askOf(child, { kind: "keep", what, delayMs, answer }, "kept");
      received = 0;
    },
    /** `{ received, hung, bytes }`, and of times `times`, of requests how many `ids` there are and `badSignatures`. */
    report: () => askOf(child, { kind: "report" }, "report"),
    stop: () => endProcess(child, "SIGKILL"),
  };
}
