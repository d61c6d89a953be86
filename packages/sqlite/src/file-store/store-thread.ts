// The program of the store thread: opens the given file, and serves its stores to the thread that started this one. A
// sync to the disk blocks only this thread, not the thread that accepts calls and delivers.

import { serveStores } from "@postrider/thread";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type FileOptions, openFile } from "./open-file.js";

export interface StoreThreadData extends FileOptions {
  /** The absolute path of the file. */
  readonly file: string;
  /** The message port to which each warning of Node in this thread is sent, as text. Any message on it ends the thread. */
  readonly host: MessagePort;
}

if (parentPort !== null) {
  const { file, host, ...options } = workerData as StoreThreadData;
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => host.postMessage(`${name}: ${message}`));
  host.on("message", () => process.exit());
  host.unref();
  await serveStores(() => openFile(file, options), parentPort);
}
