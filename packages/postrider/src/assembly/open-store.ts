// Opens the store of deliveries and the store of audiences, in memory or in a file, as the settings say. Does not know
// how a file is written.

import type { ServerSettings } from "@postrider/codec";
import { createMemoryAudienceStore, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { Logger } from "@postrider/relay";
import { openStores, type Stores } from "@postrider/sqlite-file";
import { resolve } from "node:path";
import type { OpenedStores } from "./delivery-parts.js";

export type OpenStoreResult =
  | { readonly kind: "ok"; readonly stores: Stores & Pick<OpenedStores, "file"> }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Opens both stores. Creates the file if it does not exist. Warnings of the runtime in the store's thread are logged.
 */
export async function openStore(settings: ServerSettings["store"], logger: Logger): Promise<OpenStoreResult> {
  if (settings.kind === "memory") return { kind: "ok", stores: openMemory() };
  const onWarning = (detail: string): void => logger.log("warning", { code: "runtime-warning", detail });
  try {
    const stores = await openStores(settings.path, { onWarning });
    return { kind: "ok", stores: { ...stores, file: resolve(settings.path) } };
  } catch (error) {
    // The message of the error contains the path.
    return { kind: "refused", reason: error instanceof Error ? error.message : "unknown fault" };
  }
}

function openMemory(): Stores {
  const disk = createMemoryDisk();
  const [store, audiences] = [createMemoryStore({ disk }), createMemoryAudienceStore({ disk })];
  const close = async (): Promise<void> => {
    await audiences.close();
    await store.close();
  };
  return { store, audiences, close, abandon: () => Promise.resolve() };
}
