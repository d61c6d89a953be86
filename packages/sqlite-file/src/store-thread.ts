// The program of the thread: opens the file that it is given and serves its stores to the thread that started it. A sync to
// the disk blocks this thread, and not the one that accepts calls and delivers.

import { serveStores } from "@postrider/thread";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type FileOptions, openFile } from "./open-file.js";

export interface StoreThreadData extends FileOptions {
  /** The absolute path of the file. */
  readonly file: string;
  /** Gets the warnings of Node in this thread, as text. */
  readonly warnings: MessagePort;
}

if (parentPort !== null) {
  const { file, warnings, ...options } = workerData as StoreThreadData;
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => warnings.postMessage(`${name}: ${message}`));
  await serveStores(() => openFile(file, options), parentPort);
}
