// Opens a file in a thread of its own, and keeps its log from going with that thread. It knows nothing of settings, and
// nothing of what is stored.

import type { AudienceStore, DeliveryStore } from "@postrider/core";
import { connectStores } from "@postrider/thread";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { holdLog } from "./pin-wal.js";
import { requireLog } from "./mark-wal.js";
import type { StoreThreadData } from "./store-thread.js";

export interface Stores {
  readonly store: DeliveryStore;
  readonly audiences: AudienceStore;
  /** Closes both. */
  close(): Promise<void>;
  /**
   * Ends what is left of them where it stands; what was committed is safe. Resolves once it has ended, which a thread in a
   * system call does not before that returns.
   */
  abandon(): Promise<void>;
}

export interface OpenStoresOptions {
  /** Hears what the runtime warns of in the thread, as text. */
  readonly onWarning: (warning: string) => void;
}

/** Opens the stores of a file, and makes a file that is not there yet. Rejects with an `Error` in words. */
export async function openStores(path: string, { onWarning }: OpenStoresOptions): Promise<Stores> {
  const file = resolve(path);
  requireLog(file);
  const log = holdLog(file);
  try {
    const stores = await connect(file, onWarning);
    await orElse(
      () => log.hold(),
      () => stores.close(),
    );
    return { ...stores, close: () => stores.close().finally(() => log.release()) };
  } catch (error) {
    log.release();
    throw error;
  }
}

/** What could not be done is undone before anybody hears of it. */
async function orElse(work: () => void, undo: () => Promise<void>): Promise<void> {
  try {
    work();
  } catch (error) {
    await undo();
    throw error;
  }
}

async function connect(file: string, onWarning: (warning: string) => void): Promise<Stores> {
  // What is built, wherever this runs: a thread takes no sources.
  const program = createRequire(import.meta.url).resolve("#store-thread");
  const warnings = new MessageChannel();
  const workerData: StoreThreadData = { file, warnings: warnings.port2 };
  // Some options of a process are none of a thread's, and keep it from starting.
  const options = { transferList: [warnings.port2], name: "store", execArgv: [] };
  const thread = new Worker(program, { workerData, ...options });
  warnings.port1.on("message", onWarning);
  warnings.port1.unref();
  const { deliveries, audiences } = await connectStores(thread);
  if (audiences === undefined) throw new Error("its thread keeps no audiences");
  return {
    store: deliveries,
    audiences,
    close: () => closeInTurn(audiences, deliveries),
    abandon: async () => {
      await thread.terminate();
    },
  };
}

async function closeInTurn(first: AudienceStore, second: DeliveryStore): Promise<void> {
  try {
    await first.close();
  } finally {
    await second.close();
  }
}
