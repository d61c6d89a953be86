// The program of the sender thread: serves an HTTP port over undici to the thread that started this one. Sockets, TLS and the
// vetting of addresses are here; keys and secrets are not.

import type { ServerSettings } from "@postrider/codec";
import { createSystemClock } from "@postrider/system";
import { serveHttp } from "@postrider/thread";
import { createUndiciHttp } from "@postrider/undici";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";

export interface SenderThreadData {
  readonly network: ServerSettings["network"];
  /** The message port to which each warning of Node in this thread is sent, as text. */
  readonly warnings: MessagePort;
}

if (parentPort !== null) {
  const { network, warnings } = workerData as SenderThreadData;
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => warnings.postMessage(`${name}: ${message}`));
  serveHttp((refuse) => createUndiciHttp({ clock: createSystemClock(), network, refuse }), parentPort);
}
