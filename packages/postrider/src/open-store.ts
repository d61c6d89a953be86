// Opens what the settings name for keeping: the store of deliveries, and that of audiences beside it. A file is opened in
// a thread of its own. What goes wrong is told to the operator in a line, before anything starts.

import type { ServerSettings } from "@postrider/codec";
import type { AudienceStore, DeliveryStore } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { Logger } from "@postrider/relay";
import { connectStores } from "@postrider/thread";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { holdLog } from "./hold-log.js";
import { requireLog } from "./log-mark.js";
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

export type OpenStore =
  { readonly kind: "open"; readonly stores: Stores } | { readonly kind: "unusable"; readonly reason: string };

/** Opens them, and makes a file that is not there yet. What the runtime warns of in its thread, the logger hears. */
export async function openStore(settings: ServerSettings["store"], logger: Logger): Promise<OpenStore> {
  if (settings.kind === "memory") return { kind: "open", stores: openMemory() };
  try {
    return { kind: "open", stores: await openInThread(resolve(settings.path), logger) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown fault";
    return { kind: "unusable", reason: `cannot use the store ${settings.path}: ${reason}` };
  }
}

function openMemory(): Stores {
  const disk = createMemoryDisk();
  const stores = storesOf(createMemoryStore({ disk }), createMemoryAudienceStore({ disk }));
  return { ...stores, abandon: () => Promise.resolve() };
}

async function openInThread(file: string, logger: Logger): Promise<Stores> {
  requireLog(file);
  const log = holdLog(file);
  try {
    const stores = await connect(file, logger);
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

async function connect(file: string, logger: Logger): Promise<Stores> {
  // What is built, wherever this runs: a thread takes no sources.
  const program = createRequire(import.meta.url).resolve("#store-thread");
  const warnings = new MessageChannel();
  const workerData: StoreThreadData = { file, warnings: warnings.port2 };
  // Some options of a process are none of a thread's, and keep it from starting.
  const options = { transferList: [warnings.port2], name: "store", execArgv: [] };
  const thread = new Worker(program, { workerData, ...options });
  warnings.port1.on("message", (detail: string) => logger.log("warning", { code: "runtime-warning", detail }));
  warnings.port1.unref();
  const { deliveries, audiences } = await connectStores(thread);
  if (audiences === undefined) throw new Error("its thread keeps no audiences");
  return {
    ...storesOf(deliveries, audiences),
    abandon: async () => {
      await thread.terminate();
    },
  };
}

function storesOf(store: DeliveryStore, audiences: AudienceStore): Omit<Stores, "abandon"> {
  return { store, audiences, close: () => closeInTurn(audiences, store) };
}

async function closeInTurn(first: AudienceStore, second: DeliveryStore): Promise<void> {
  try {
    await first.close();
  } finally {
    await second.close();
  }
}
