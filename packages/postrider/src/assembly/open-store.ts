// Opens the store of deliveries and the store of audiences as the settings say: in memory, in a file, or in a database over a pool of the
// driver `pg`, which is loaded only then.

import type { ServerSettings } from "@postrider/relay/settings";
import type { Clock, Secret } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { type PostgresPool, postgresStores } from "@postrider/postgres";
import type { Logger } from "@postrider/relay";
import { openStores } from "@postrider/sqlite/file";
import { resolve } from "node:path";
import { type DatabaseUrl, readDatabaseUrl } from "../config/database-url.js";
import { nameDatabase } from "../config/own-secrets.js";
import { reasonOf } from "../log/printable.js";
import type { OpenedStores } from "./delivery-parts.js";

export type OpenStoreResult =
  { readonly kind: "ok"; readonly stores: OpenedStores } | { readonly kind: "refused"; readonly reason: string };

interface OpenStorePorts {
  readonly logger: Logger;
  readonly clock: Pick<Clock, "after" | "monotonic">;
}

/** A pool that was made here, and is ended here. */
export interface OwnPool extends PostgresPool {
  end(): Promise<void>;
}

interface Driver {
  readonly Pool: new (options: object) => OwnPool & { on(event: "error", listener: () => void): unknown };
}

const CONNECTS_WITHIN_MS = 5_000;

/** The time without traffic after which the system looks whether the other end is there. Its default is two hours. */
const KEEP_ALIVE_AFTER_MS = 1_000;

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

/** Opens the stores. Throws an `Error` with the name of the database and the reason. */
async function openPostgres(url: Secret, clock: Pick<Clock, "after" | "monotonic">): Promise<OpenedStores> {
  let pool: OwnPool | undefined;
  try {
    const opened = await createPool(url);
    pool = opened;
    const stores = await postgresStores(opened, { hints: parametersOf(url).hints }).open({ clock });
    return {
      ...stores,
      close: async (): Promise<void> => {
        await stores.close();
        await opened.end();
      },
      // Connections that hang are left to the end of the process.
      abandon: () => Promise.resolve(),
    };
  } catch (error) {
    await pool?.end();
    throw new Error(`${nameDatabase(url.reveal())}: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * A pool on the database of the URL. Throws an `Error` that says what to do if the driver is not installed, or a parameter of the URL
 * is wrong.
 */
export async function createPool(url: Secret): Promise<OwnPool> {
  const { connectionString, connections } = parametersOf(url);
  const { Pool } = await loadDriver();
  const pool = new Pool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: CONNECTS_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: "postrider",
  });
  // A connection that breaks while it is not used; the next request takes another one.
  pool.on("error", () => undefined);
  return pool;
}

/** Throws an `Error` that says which value a parameter may have. */
export function parametersOf(url: Secret): DatabaseUrl {
  const parameters = readDatabaseUrl(url.reveal());
  if (parameters.kind === "refused") throw new Error(parameters.reason);
  return parameters;
}

async function loadDriver(): Promise<Driver> {
  try {
    // @ts-expect-error The driver has no types.
    const driverModule = (await import("pg")) as { readonly default: Driver };
    return driverModule.default;
  } catch (error) {
    throw new Error(`the driver pg cannot be loaded (${reasonOf(error)}): run npm install pg@8`, { cause: error });
  }
}
