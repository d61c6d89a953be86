// Opens the stores in a database over a pool of the driver `pg`, which is loaded only then: who keeps deliveries in a file needs none.

import type { Clock, Secret } from "@postrider/core";
import { type PostgresPool, postgresStores } from "@postrider/postgres";
import { nameDatabase } from "../config/name-store.js";
import type { OpenedStores } from "./delivery-parts.js";
import { reasonOf } from "../log/reason-of.js";

/** The connections of one server: commits, claims and the questions of operators run side by side. */
const MAX_CONNECTIONS = 10;
const CONNECTS_WITHIN_MS = 5_000;
/** After how long without traffic the system begins to look whether the other end is there: by default after two hours. */
const KEEP_ALIVE_AFTER_MS = 1_000;

/** The parameter of the URL that is ours: `off` where a pooler in transaction mode stands before the database. */
const HINTS = "hints";

/** A pool that was made here, and is ended here. */
export interface OwnPool extends PostgresPool {
  end(): Promise<void>;
}

/** Opens the stores. Throws an `Error` with the name of the database and the reason. */
export async function openPostgres(url: Secret, clock: Pick<Clock, "after" | "monotonic">): Promise<OpenedStores> {
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

/** Throws an `Error` if the parameter has a value that it does not know. */
function wantsHints(url: Secret): boolean {
  const value = URL.canParse(url.reveal()) ? new URL(url.reveal()).searchParams.get(HINTS) : null;
  if (value === null || value === "on") return true;
  if (value === "off") return false;
  throw new Error(`${HINTS} is on or off, not ${JSON.stringify(value)}`);
}

/** What the driver gets. Without the parameter it is the text as it was written. */
function withoutHints(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (!url.searchParams.has(HINTS)) return text;
  url.searchParams.delete(HINTS);
  return url.href;
}

interface Driver {
  readonly Pool: new (options: object) => OwnPool & { on(event: "error", listener: () => void): unknown };
}

async function loadDriver(): Promise<Driver> {
  try {
    // @ts-expect-error The driver has no types.
    const found = (await import("pg")) as { readonly default: Driver };
    return found.default;
  } catch (error) {
    throw new Error(`the driver pg cannot be loaded (${reasonOf(error)}): run npm install pg@8`, { cause: error });
  }
}
