// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/postgres` exports.

import type { AudienceStore, Clock, DeliveryStore } from "@postrider/core";

export interface OpenPostgresStores {
  readonly store: DeliveryStore;
  readonly audiences: AudienceStore;
  close(): Promise<void>;
}

export type PostgresAudienceStoreOptions = Omit<PostgresStoreOptions, "time">;

export interface PostgresClient {
  query(query: PostgresQuery): Promise<{
    readonly rows: readonly unknown[];
  }>;
  on(event: "notice" | "error", listener: (message: { readonly message?: string | undefined }) => void): unknown;
  removeListener(
    event: "notice" | "error",
    listener: (message: { readonly message?: string | undefined }) => void,
  ): unknown;
  release(destroy?: boolean): void;
}

export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

export interface PostgresQuery {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly types?: {
    getTypeParser(oid: number, format?: string): (value: string) => unknown;
  };
}

export interface PostgresStoreOptions {
  readonly pool: PostgresPool;
  readonly clock: Pick<Clock, "after">;
  readonly schema?: string;
  readonly time?: "database" | "caller";
}

export interface PostgresStores {
  open(ports: { readonly clock: Pick<Clock, "after"> }): Promise<OpenPostgresStores>;
}

export type PostgresStoresOptions = Pick<PostgresStoreOptions, "schema">;

export declare function openPostgresAudienceStore({
  pool,
  clock,
  schema,
}: PostgresAudienceStoreOptions): Promise<AudienceStore>;

export declare function openPostgresStore({ pool, clock, schema, time }: PostgresStoreOptions): Promise<DeliveryStore>;

export declare function postgresStores(pool: PostgresPool, options?: PostgresStoresOptions): PostgresStores;

export {};
