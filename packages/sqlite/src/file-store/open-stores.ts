// The public function of the package: opens the stores of a SQLite file in a thread, keeps the write-ahead log (WAL) of
// the file in place, and reports when the stores have failed (decision: sqlite file package).

import {
  type AudienceStore,
  type DeliveryStore,
  type StoreError,
  createStoreError,
  type StoreErrorCode,
} from "@postrider/core";
import { createSystemClock } from "@postrider/system";
import { connectStores } from "@postrider/thread";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { requireIntactWal } from "./mark-wal.js";
import { nameOpenError } from "./open-error.js";
import { pinWal } from "./pin-wal.js";
import type { StoreThreadData } from "./store-thread.js";

/** The time that an abandoned thread has to end the requests that it has taken up. */
const LEAVE_WITHIN_MS = 300;

/** The id of a worker that has ended. */
const NO_THREAD = -1;

/** The opened stores of one file. */
export interface Stores {
  /** The delivery store, for the option `store` of a relay. Close both stores with `close` of this object. */
  readonly store: DeliveryStore;
  /**
   * The audience store, in the same file, for the option `audiences` of a relay. Close both stores with `close` of this
   * object.
   */
  readonly audiences: AudienceStore;
  /**
   * Closes both stores, moves the log into the file and ends the thread; the file is then complete without its log. If
   * another connection uses the file, the log stays. Resolves once all of this is done; a second call resolves then
   * too. Has no time limit: if the disk does not answer, it waits until `abandon` is called.
   */
  close(): Promise<void>;
  /**
   * Ends the thread without closing the stores, and leaves the file as after a crash: with its log, and with all
   * commits. The thread ends after its current request, or within it after 300 ms. Resolves once it has ended, which is not
   * before its current system call returns.
   */
  abandon(): Promise<void>;
}

/** The options of `openStores`. */
export interface OpenStoresOptions {
  /**
   * Called at most once, when one of the two stores has failed permanently: all methods of that store reject from then
   * on, and neither store may be used any more. `close` and `abandon` do not cause a call. If `onFailure` is absent,
   * the store rejects nevertheless. The code `unavailable` means that the thread has ended without `close`; all commits
   * are safe. The code `corrupt` means that the file or its log was moved, replaced, removed or cut short while it was
   * open, that a page of the file is broken, or that the disk could not read or write; this is found at the next
   * request to the store.
   */
  readonly onFailure?: (error: StoreError) => void;
  /**
   * Called with each warning of Node in the thread, as text, such as `ExperimentalWarning: …`. If absent,
   * `process.emitWarning` is called.
   */
  readonly onWarning?: (warning: string) => void;
  /**
   * The highest number of message ids that are remembered to recognise duplicates; the oldest are forgotten first. Each
   * id takes up to 8 bytes of memory, and 90 bytes of the file. 50,000,000 if absent.
   */
  readonly maxMessageIds?: number;
}

/**
 * Opens the stores of the file at `path`, relative to the working directory. Creates the file if it does not exist,
 * readable only by its owner, and migrates a file of an older version. The stores of several calls, of one process or
 * of many, may share a file on a local disk. Rejects with an `OpenError`, and leaves no thread then.
 */
export async function openStores(path: string, options: OpenStoresOptions = {}): Promise<Stores> {
  try {
    return await openGuarded(resolve(path), options);
  } catch (error) {
    throw nameOpenError(path, error);
  }
}

async function openGuarded(file: string, options: OpenStoresOptions): Promise<Stores> {
  requireIntactWal(file);
  const pin = pinWal(file);
  try {
    const stores = await openInThread(file, options);
    await runOrClose(stores, () => pin.renew());
    return {
      ...stores,
      close: () => stores.close().finally(() => pin.release()),
      abandon: () => stores.abandon().finally(() => pin.release()),
    };
  } catch (error) {
    pin.release();
    throw error;
  }
}

/** Runs `work`. If `work` throws, closes the stores before the error is passed on. */
async function runOrClose(stores: Stores, work: () => void): Promise<void> {
  try {
    work();
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function openInThread(file: string, options: OpenStoresOptions): Promise<Stores> {
  const { thread, port } = startThread(file, options);
  const report = createFailureReport(options.onFailure);
  const { deliveries, audiences } = await connectStores(thread, {
    onEnd: (why) => report.tell("unavailable", why),
    onCorrupt: (why) => report.tell("corrupt", why),
  });
  if (audiences === undefined) throw new Error("its thread keeps no audiences");
  return {
    store: deliveries,
    audiences,
    close: () => closeDeliveriesLast(audiences, deliveries),
    abandon: () => abandon(thread, port, report),
  };
}

/** A thread that keeps the stores of a file. */
interface StoreThread {
  readonly thread: Worker;
  /** Brings the warnings of the thread; any message to it ends the thread. */
  readonly port: MessagePort;
}

function startThread(file: string, { onWarning = emitWarning, maxMessageIds }: OpenStoresOptions): StoreThread {
  // The built file, even if this file runs as TypeScript: a thread of Node cannot load TypeScript.
  const program = createRequire(import.meta.url).resolve("#store-thread");
  const channel = new MessageChannel();
  const limit = maxMessageIds === undefined ? {} : { maxMessageIds };
  const workerData: StoreThreadData = { file, host: channel.port2, ...limit };
  channel.port1.on("message", onWarning);
  channel.port1.unref();
  // The thread inherits no options of the process: some of them are not allowed in a thread, and keep it from starting.
  const thread = new Worker(program, { workerData, transferList: [channel.port2], name: "store", execArgv: [] });
  return { thread, port: channel.port1 };
}

function emitWarning(warning: string): void {
  process.emitWarning(warning);
}

/** Closes the delivery store last, since its `close` removes the mark of the log. */
async function closeDeliveriesLast(audiences: AudienceStore, deliveries: DeliveryStore): Promise<void> {
  try {
    await audiences.close();
  } finally {
    await deliveries.close();
  }
}

/**
 * Ends the thread between two requests, since a thread that is terminated within a call of the SQLite addon takes the
 * process along; a thread that does not come to that is terminated. No failure is reported from now on, since a thread
 * that the host ends has not failed.
 */
async function abandon(thread: Worker, port: MessagePort, report: FailureReport): Promise<void> {
  report.mute();
  if (thread.threadId === NO_THREAD) return;
  const ended = new Promise((resolve) => thread.once("exit", resolve));
  thread.ref();
  // The last response to a request lets the process end without the thread.
  thread.on("message", () => thread.ref());
  port.postMessage("leave");
  const cancel = createSystemClock().after(LEAVE_WITHIN_MS, () => void thread.terminate());
  await ended;
  cancel();
}

interface FailureReport {
  /** Reports the failure, unless one was reported before. */
  tell(code: StoreErrorCode, why: string): void;
  /** From now on, nothing is reported. */
  mute(): void;
}

function createFailureReport(onFailure: (error: StoreError) => void = nothing): FailureReport {
  let isDone = false;
  return {
    tell: (code, why) => {
      if (isDone) return;
      isDone = true;
      onFailure(createStoreError(code, why));
    },
    mute: () => {
      isDone = true;
    },
  };
}

function nothing(): void {
  // The default: the host gave no callback.
}
