// Opens the store that the settings name. What goes wrong is told to the operator in a line, before anything starts.

import type { ServerSettings } from "@postrider/codec";
import type { DeliveryStore } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { createSqliteStore } from "@postrider/sqlite";
import { resolve } from "node:path";
import { markLog, requireLog, unmarkLog } from "./log-mark.js";
import { openDatabase } from "./open-database.js";
import { watchDatabase } from "./watched-database.js";

export type OpenStore =
  { readonly kind: "open"; readonly store: DeliveryStore } | { readonly kind: "unusable"; readonly reason: string };

/** Opens it, and makes a file that is not there yet. */
export function openStore(settings: ServerSettings["store"]): OpenStore {
  if (settings.kind === "memory") return { kind: "open", store: createMemoryStore({ disk: createMemoryDisk() }) };
  try {
    return { kind: "open", store: openFile(resolve(settings.path)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown fault";
    return { kind: "unusable", reason: `cannot use the store ${settings.path}: ${reason}` };
  }
}

/** The store on a file that stands or falls with its log. Leaves nothing open where it fails. */
function openFile(file: string): DeliveryStore {
  requireLog(file);
  const database = openDatabase(file);
  try {
    const store = createSqliteStore({ database: watchDatabase(database, file) });
    markLog(file);
    return { ...store, close: () => closeUnmarked(store, file) };
  } catch (error) {
    database.close();
    throw error;
  }
}

async function closeUnmarked(store: DeliveryStore, file: string): Promise<void> {
  try {
    unmarkLog(file);
  } finally {
    await store.close();
  }
}
