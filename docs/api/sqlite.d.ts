// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/sqlite` exports.

import type { AudienceStore, CallStorage, DeliveryStore } from "@postrider/core";

export declare const FILE_HEADER_BYTES = 100;

export interface SqliteAudienceStoreOptions {
  readonly database: SqliteDatabase;
  readonly isChecked?: boolean;
  readonly keepsLog?: () => boolean;
}

export interface SqliteCallStorage extends CallStorage {
  close(): Promise<void>;
}

export interface SqliteCallStorageOptions {
  readonly database: SqliteDatabase;
  readonly maxCalls?: number;
}

export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

export interface SqliteStoreOptions {
  readonly database: SqliteDatabase;
  readonly maxMessageIds?: number;
  readonly keepsLog?: () => boolean;
  readonly shared?: boolean;
}

export declare function checkStoreCopy(database: SqliteDatabase): void;

export declare function createSqliteAudienceStore({
  database,
  isChecked,
  keepsLog,
}: SqliteAudienceStoreOptions): AudienceStore;

export declare function createSqliteCallStorage(options: SqliteCallStorageOptions): SqliteCallStorage;

export declare function createSqliteStore({
  database,
  maxMessageIds,
  keepsLog,
  shared,
}: SqliteStoreOptions): DeliveryStore;

export declare function inspectFileHeader(bytes: Uint8Array): FileHeader;

export declare function inspectWriteAheadLog(log: Uint8Array): LogState;

export declare function isUsableSqliteVersion(version: string): boolean;

export declare function prepareStoreCopy(database: SqliteDatabase, path: string): StoreCopy;

export declare function writeToLog(database: SqliteDatabase): void;

// Not exported by name, but part of what is.

type FileHeader =
  | {
      readonly kind: "store";
      readonly isCurrent: boolean;
    }
  | {
      readonly kind: "empty" | "newer" | "foreign" | "no-database";
    };

type LogState = "sound" | "not-a-log" | "broken";

type SqlValue = null | number | bigint | string | Uint8Array;

interface SqliteStatement {
  run(...values: SqlValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): readonly unknown[];
}

interface StoreCopy {
  readonly bytes: number;
  write(): void;
}

export {};
