// Both stores over the pool of a host, to be opened by the program that is handed them. The pool stays the host's.

import type { AudienceStore, Clock, DeliveryStore } from "@postrider/core";
import { openPostgresAudienceStore } from "./audience-store/open-store.js";
import { openPostgresStore, type PostgresStoreOptions } from "./delivery-store/open-store.js";
import type { PostgresPool } from "./pool.js";

/** The options of `postgresStores`. */
export type PostgresStoresOptions = Pick<PostgresStoreOptions, "schema" | "hints">;

/** Stores that are not opened yet. */
export interface PostgresStores {
  /** Opens both. Rejects as `openPostgresStore` does; nothing is left open then. */
  open(ports: { readonly clock: Pick<Clock, "after" | "monotonic"> }): Promise<OpenPostgresStores>;
}

/** The opened stores, which do not end the pool. */
interface OpenPostgresStores {
  readonly store: DeliveryStore;
  readonly audiences: AudienceStore;
  close(): Promise<void>;
}

/** The stores of deliveries and audiences in a database, for the option `store` of `createPostrider`. */
export function postgresStores(pool: PostgresPool, options: PostgresStoresOptions = {}): PostgresStores {
  return {
    open: async ({ clock }): Promise<OpenPostgresStores> => {
      const store = await openPostgresStore({ pool, clock, ...options });
      const audiences = await openPostgresAudienceStore({ pool, clock, ...options });
      const close = async (): Promise<void> => {
        await audiences.close();
        await store.close();
      };
      return { store, audiences, close };
    },
  };
}
