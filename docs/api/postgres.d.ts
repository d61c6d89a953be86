// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/postgres` exports.

import type { AudienceStore, Clock, DeliveryStore } from "@postrider/core";

export type PostgresAudienceStoreOptions = Pick<PostgresStoreOptions, "pool" | "clock" | "schema">;

export interface PostgresClient {
  query(query: PostgresQuery): Promise<{
    readonly rows: readonly unknown[];
  }>;
  on(event: PostgresClientEvent, listener: NoticeListener): unknown;
  removeListener(event: PostgresClientEvent, listener: NoticeListener): unknown;
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
  readonly clock: Pick<Clock, "after" | "monotonic">;
  readonly schema?: string;
  readonly hints?: boolean;
  readonly time?: "database" | "caller";
  readonly leafMs?: number;
}

export interface PostgresStores {
  open(ports: { readonly clock: Pick<Clock, "after" | "monotonic"> }): Promise<OpenPostgresStores>;
}

export type PostgresStoresOptions = Pick<PostgresStoreOptions, "schema" | "hints">;

export declare function openPostgresAudienceStore({
  pool,
  clock,
  schema,
}: PostgresAudienceStoreOptions): Promise<AudienceStore>;

export declare function openPostgresStore({
  pool,
  clock,
  schema,
  hints,
  time,
  leafMs,
}: PostgresStoreOptions): Promise<DeliveryStore>;

export declare function postgresStores(pool: PostgresPool, options?: PostgresStoresOptions): PostgresStores;

// Not exported by name, but part of what is.

type NoticeListener = (notice: {
  readonly message?: string | undefined;
  readonly payload?: string | undefined;
}) => void;

interface OpenPostgresStores {
  readonly store: DeliveryStore;
  readonly audiences: AudienceStore;
  close(): Promise<void>;
}

type PostgresClientEvent = "notice" | "error" | "notification" | "end";

export {};
