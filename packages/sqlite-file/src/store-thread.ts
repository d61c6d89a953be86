// The thread of the store: opens the file that it is told, and answers for its stores. A sync to the disk stops this thread,
// and not the one that takes calls and delivers. It writes to nobody but that one.

import { serveStores } from "@postrider/thread";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { openFile } from "./open-file.js";

export interface StoreThreadData {
  /** The path of the file. */
  readonly file: string;
  /** Where warnings of the runtime go, as text. */
  readonly warnings: MessagePort;
}

if (parentPort !== null) {
  const { file, warnings } = workerData as StoreThreadData;
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => warnings.postMessage(`${name}: ${message}`));
  await serveStores(() => openFile(file), parentPort);
}
