// The public exports of postgres: Postrider's stores on PostgreSQL, over any pool of the required shape.

export { openPostgresAudienceStore, type PostgresAudienceStoreOptions } from "./audience-store/open-store.js";
export { openPostgresStore, type PostgresStoreOptions } from "./delivery-store/open-store.js";
export type { PostgresClient, PostgresPool, PostgresQuery } from "./pool.js";
export { postgresStores, type PostgresStores, type PostgresStoresOptions } from "./postgres-stores.js";
