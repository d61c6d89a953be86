// Opens the store of deliveries and the store of audiences as the settings say: in memory, in a file, or in a database over a pool of the
// driver `pg`, which is loaded only then.

import type { ServerSettings } from "@postrider/relay/settings";
import type { Clock, Secret } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { type PostgresPool, postgresStores } from "@postrider/postgres";
import type { Logger } from "@postrider/relay";
import { openStores } from "@postrider/sqlite/file";
import { resolve } from "node:path";
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

/** The connections of one server: commits, claims and the questions of operators run side by side. */
const MAX_CONNECTIONS = 10;

const CONNECTS_WITHIN_MS = 5_000;

/** The time without traffic after which the system looks whether the other end is there. Its default is two hours. */
const KEEP_ALIVE_AFTER_MS = 1_000;

/** The parameter of the URL that is ours: `off` where a pooler in transaction mode stands before the database. */
const HINTS = "hints";

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
  const pool = await createPool(url);
  try {
    const stores = await postgresStores(pool, { hints: wantsHints(url) }).open({ clock });
    return {
      ...stores,
      close: async (): Promise<void> => {
        await stores.close();
        await pool.end();
      },
      // Connections that hang are left to the end of the process.
      abandon: () => Promise.resolve(),
    };
  } catch (error) {
    await pool.end();
    throw new Error(`${nameDatabase(url.reveal())}: ${reasonOf(error)}`, { cause: error });
  }
}

/** A pool on the database of the URL. Throws an `Error` that says what to do if the driver is not installed. */
export async function createPool(url: Secret): Promise<OwnPool> {
  const { Pool } = await loadDriver();
  const pool = new Pool({
    connectionString: withoutHints(url.reveal()),
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECTS_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: "postrider",
  });
  // A connection that breaks while it is not used; the next request takes another one.
  pool.on("error", () => undefined);
  return pool;
}

/** True unless the parameter of the URL is `off`. Throws an `Error` if it is neither `on` nor `off`. */
function wantsHints(url: Secret): boolean {
  const value = URL.canParse(url.reveal()) ? new URL(url.reveal()).searchParams.get(HINTS) : null;
  if (value === null || value === "on") return true;
  if (value === "off") return false;
  throw new Error(`${HINTS} is on or off, not ${JSON.stringify(value)}`);
}

/** The URL for the driver. Without the parameter it is the text as it was written. */
function withoutHints(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (!url.searchParams.has(HINTS)) return text;
  url.searchParams.delete(HINTS);
  return url.href;
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
