// The program of the sender thread: serves an HTTP port over undici to the thread that started this one. Sockets, TLS and the
// vetting of addresses are here; keys and secrets are not.

import type { ServerSettings } from "@postrider/relay/settings";
import { createSystemClock } from "@postrider/system";
import { serveHttp } from "@postrider/thread";
import { createUndiciHttp } from "@postrider/undici";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";

export interface SenderThreadData {
  readonly network: ServerSettings["network"];
  /** The message port to which each warning of this thread is sent, as a `ThreadWarning`. */
  readonly warnings: MessagePort;
}

/** A warning of Node, or an origin that has sent an unasked answer; `code` is that of its log line. */
export interface ThreadWarning {
  readonly code: "runtime-warning" | "unasked-answer";
  readonly detail: string;
}

if (parentPort !== null) {
  const { network, warnings } = workerData as SenderThreadData;
  process.removeAllListeners("warning");
  const warn = (warning: ThreadWarning): void => warnings.postMessage(warning);
  process.on("warning", ({ name, message }) => warn({ code: "runtime-warning", detail: `${name}: ${message}` }));
  const onUnaskedAnswer = (detail: string): void => warn({ code: "unasked-answer", detail });
  serveHttp((refuse) => createUndiciHttp({ clock: createSystemClock(), network, refuse, onUnaskedAnswer }), parentPort);
}
