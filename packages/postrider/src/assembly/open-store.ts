// Opens the store of deliveries and the store of audiences as the settings say: in memory, in a file, in a database. Does not know
// how they keep what they are given.

import type { ServerSettings } from "@postrider/codec";
import { createMemoryAudienceStore, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { Clock } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { openStores } from "@postrider/sqlite-file";
import { resolve } from "node:path";
import type { OpenedStores } from "./delivery-parts.js";
import { openPostgres } from "./open-postgres.js";
import { reasonOf } from "../log/reason-of.js";

export type OpenStoreResult =
  { readonly kind: "ok"; readonly stores: OpenedStores } | { readonly kind: "refused"; readonly reason: string };

export interface OpenStorePorts {
  readonly logger: Logger;
  readonly clock: Pick<Clock, "after" | "monotonic">;
}

/**
 * Opens both stores. Creates the file, or the tables, if they do not exist. Warnings of the runtime in the store's thread are logged.
 */
export async function openStore(settings: ServerSettings["store"], ports: OpenStorePorts): Promise<OpenStoreResult> {
  try {
    return { kind: "ok", stores: await open(settings, ports) };
  } catch (error) {
    // The message of the error contains the path, or the database.
    return { kind: "refused", reason: reasonOf(error) };
  }
}

async function open(settings: ServerSettings["store"], { logger, clock }: OpenStorePorts): Promise<OpenedStores> {
  switch (settings.kind) {
    case "memory":
      return openMemory();
    case "postgres":
      return openPostgres(settings.url, clock);
    case "sqlite": {
      const onWarning = (detail: string): void => logger.log("warning", { code: "runtime-warning", detail });
      return { ...(await openStores(settings.path, { onWarning })), file: resolve(settings.path) };
    }
  }
}

function openMemory(): OpenedStores {
  const disk = createMemoryDisk();
  const [store, audiences] = [createMemoryStore({ disk }), createMemoryAudienceStore({ disk })];
  const close = async (): Promise<void> => {
    await audiences.close();
    await store.close();
  };
  return { store, audiences, close, abandon: () => Promise.resolve() };
}
