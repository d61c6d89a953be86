// Opens what the settings name for keeping: the store of deliveries, and that of audiences beside it, in memory or in a
// file. What goes wrong is told to the operator in a line, before anything starts.

import type { ServerSettings } from "@postrider/codec";
import { createMemoryAudienceStore, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { Logger } from "@postrider/relay";
import { openStores, type Stores } from "@postrider/sqlite-file";

export type OpenStore =
  { readonly kind: "open"; readonly stores: Stores } | { readonly kind: "unusable"; readonly reason: string };

/** Opens them, and makes a file that is not there yet. What the runtime warns of in its thread, the logger hears. */
export async function openStore(settings: ServerSettings["store"], logger: Logger): Promise<OpenStore> {
  if (settings.kind === "memory") return { kind: "open", stores: openMemory() };
  const onWarning = (detail: string): void => logger.log("warning", { code: "runtime-warning", detail });
  try {
    return { kind: "open", stores: await openStores(settings.path, { onWarning }) };
  } catch (error) {
    // It names the path.
    return { kind: "unusable", reason: error instanceof Error ? error.message : "unknown fault" };
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
