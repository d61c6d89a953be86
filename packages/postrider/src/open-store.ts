// Opens what the settings name for keeping: the store of deliveries, and that of audiences beside it in the same file, on
// a connection of its own. What goes wrong is told to the operator in a line, before anything starts.

import type { ServerSettings } from "@postrider/codec";
import type { AudienceStore, DeliveryStore } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { createSqliteAudienceStore, createSqliteStore, type SqliteDatabase } from "@postrider/sqlite";
import { resolve } from "node:path";
import { markLog, requireLog, unmarkLog } from "./log-mark.js";
import { openDatabase } from "./open-database.js";
import { watchDatabase } from "./watched-database.js";

export interface Stores {
  readonly store: DeliveryStore;
  readonly audiences: AudienceStore;
  /** Closes both. */
  close(): Promise<void>;
}

export type OpenStore =
  { readonly kind: "open"; readonly stores: Stores } | { readonly kind: "unusable"; readonly reason: string };

/** Opens them, and makes a file that is not there yet. */
export function openStore(settings: ServerSettings["store"]): OpenStore {
  if (settings.kind === "memory") return { kind: "open", stores: openMemory() };
  try {
    return { kind: "open", stores: openFile(resolve(settings.path)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown fault";
    return { kind: "unusable", reason: `cannot use the store ${settings.path}: ${reason}` };
  }
}

function openMemory(): Stores {
  const disk = createMemoryDisk();
  const store = createMemoryStore({ disk });
  const audiences = createMemoryAudienceStore({ disk });
  return { store, audiences, close: () => closeInTurn(audiences, store) };
}

/** The stores on a file that stands or falls with its log. Leaves nothing open where it fails. */
function openFile(file: string): Stores {
  requireLog(file);
  const opened: SqliteDatabase[] = [];
  const connect = (): SqliteDatabase => {
    const database = openDatabase(file);
    opened.push(database);
    return watchDatabase(database, file);
  };
  try {
    const store = createSqliteStore({ database: connect() });
    const audiences = createSqliteAudienceStore({ database: connect() });
    markLog(file);
    // The log goes with the last connection, and the mark has to go before it.
    const unmarking = { close: () => closeUnmarked(store, file) };
    return { store, audiences, close: () => closeInTurn(audiences, unmarking) };
  } catch (error) {
    for (const database of opened) database.close();
    throw error;
  }
}

async function closeInTurn(first: Closable, second: Closable): Promise<void> {
  try {
    await first.close();
  } finally {
    await second.close();
  }
}

async function closeUnmarked(store: Closable, file: string): Promise<void> {
  try {
    unmarkLog(file);
  } finally {
    await store.close();
  }
}

interface Closable {
  close(): Promise<void>;
}
