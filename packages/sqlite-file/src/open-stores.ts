// The public function of the package: opens the stores of a SQLite file in a thread, guards the write-ahead log (WAL) of the
// file from this thread, and reports when the stores have failed. It does not know what is stored (decision: sqlite file
// package).

import type { AudienceStore, DeliveryStore, StoreError } from "@postrider/core";
import { connectStores } from "@postrider/thread";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { createFailureReport, type FailureReport } from "./failure-report.js";
import { requireWal } from "./mark-wal.js";
import { nameOpenError } from "./open-error.js";
import { pinWal } from "./pin-wal.js";
import type { StoreThreadData } from "./store-thread.js";

export interface Stores {
  /** The deliveries: `store` of a relay. Closed by `close`, not by itself. */
  readonly store: DeliveryStore;
  /** The audiences, in the same file: `audiences` of a relay. Closed by `close`, not by itself. */
  readonly audiences: AudienceStore;
  /**
   * Closes both, moves the log into the file and ends the thread; the file is then complete without its log. Resolves once
   * all of that is done, also for a second call. Has no time limit: it waits for a disk that does not answer, see `abandon`.
   */
  close(): Promise<void>;
  /**
   * Ends the thread at any point, and leaves the file as after a crash: with its log, and with all commits. Resolves once
   * the thread has ended, which is not before its current system call returns.
   */
  abandon(): Promise<void>;
}

export interface OpenStoresOptions {
  /**
   * Called at most once, when one of the two stores has failed for good: that store rejects everything from then on, and
   * neither store is to be used any more. Not called because of `close` and `abandon`. Absent: nothing is called; the store
   * rejects nevertheless. `unavailable`: the thread has ended without `close`; all commits are safe. `corrupt`: the file or
   * its log was moved, removed or cut short while it was open, a page of it is broken, or the disk could not read or write;
   * found at the next request to the store.
   */
  readonly onFailure?: (error: StoreError) => void;
  /**
   * Called with each warning that Node has in the thread, such as `ExperimentalWarning: …`. Absent:
   * `process.emitWarning`.
   */
  readonly onWarning?: (warning: string) => void;
  /**
   * How many message ids are remembered at most to recognise duplicates; the oldest go first. Each takes up to 8 bytes of
   * memory, and 90 bytes of the file. Absent: 50,000,000.
   */
  readonly maxMessageIds?: number;
}

/**
 * Opens the stores of the file at `path`, relative to the working directory. Creates the file if it does not exist, readable
 * only by its owner, and migrates one of an older version. Several calls, of one process or of many, may share a file of a
 * local disk. Rejects with an `OpenError`; no thread is left then.
 */
export async function openStores(path: string, options: OpenStoresOptions = {}): Promise<Stores> {
  try {
    return await openGuarded(resolve(path), options);
  } catch (error) {
    throw nameOpenError(path, error);
  }
}

async function openGuarded(file: string, options: OpenStoresOptions): Promise<Stores> {
  requireWal(file);
  const pin = pinWal(file);
  try {
    const stores = await openInThread(file, options);
    await orClose(stores, () => pin.renew());
    return { ...stores, close: () => stores.close().finally(() => pin.release()) };
  } catch (error) {
    pin.release();
    throw error;
  }
}

/** Does the work; if it throws, the stores are closed before the error is passed on. */
async function orClose(stores: Stores, work: () => void): Promise<void> {
  try {
    work();
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function openInThread(file: string, options: OpenStoresOptions): Promise<Stores> {
  const thread = startThread(file, options);
  const report = createFailureReport(options.onFailure);
  const { deliveries, audiences } = await connectStores(thread, {
    onEnd: (why) => report.tell("unavailable", why),
    onCorrupt: (why) => report.tell("corrupt", why),
  });
  if (audiences === undefined) throw new Error("its thread keeps no audiences");
  return {
    store: deliveries,
    audiences,
    close: () => closeInTurn(audiences, deliveries),
    abandon: () => abandon(thread, report),
  };
}

function startThread(file: string, { onWarning = emitWarning, maxMessageIds }: OpenStoresOptions): Worker {
  // The built file, even if this file runs as TypeScript: a thread of Node cannot load TypeScript.
  const program = createRequire(import.meta.url).resolve("#store-thread");
  const warnings = new MessageChannel();
  const limit = maxMessageIds === undefined ? {} : { maxMessageIds };
  const workerData: StoreThreadData = { file, warnings: warnings.port2, ...limit };
  warnings.port1.on("message", onWarning);
  warnings.port1.unref();
  // The thread inherits no options of the process: some of them are not allowed in a thread, and keep it from starting.
  return new Worker(program, { workerData, transferList: [warnings.port2], name: "store", execArgv: [] });
}

function emitWarning(warning: string): void {
  process.emitWarning(warning);
}

/** The deliveries are closed last: closing them removes the mark of the log. */
async function closeInTurn(audiences: AudienceStore, deliveries: DeliveryStore): Promise<void> {
  try {
    await audiences.close();
  } finally {
    await deliveries.close();
  }
}

/** Reports nothing from now on: a thread that the host ends has not failed. */
async function abandon(thread: Worker, report: FailureReport): Promise<void> {
  report.mute();
  await thread.terminate();
}
