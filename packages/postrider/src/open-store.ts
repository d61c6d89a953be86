// Opens the store that the settings name. What goes wrong is told to the operator in a line, before anything starts.

import type { ServerSettings } from "@postrider/codec";
import type { DeliveryStore } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { createSqliteStore } from "@postrider/sqlite";
import { openDatabase } from "./open-database.js";

export type OpenStore =
  { readonly kind: "open"; readonly store: DeliveryStore } | { readonly kind: "unusable"; readonly reason: string };

/** Opens it, and makes a file that is not there yet. */
export function openStore(settings: ServerSettings["store"]): OpenStore {
  if (settings.kind === "memory") return { kind: "open", store: createMemoryStore({ disk: createMemoryDisk() }) };
  try {
    return { kind: "open", store: createSqliteStore({ database: openDatabase(settings.path) }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown fault";
    return { kind: "unusable", reason: `cannot use the store ${settings.path}: ${reason}` };
  }
}
