// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/sqlite/file` exports.

import type { AudienceStore, DeliveryStore, StoreError, StoreErrorCode } from "@postrider/core";

export interface Backup {
  readonly done: Promise<number>;
  progress(): BackupProgress;
  stop(): Promise<void>;
}

export interface BackupProgress {
  readonly phase: "copying" | "checking";
  readonly bytes: number;
  readonly ofBytes: number;
}

export type InspectStoreResult =
  | {
      readonly kind: "ok";
      readonly store: InspectedStore;
    }
  | {
      readonly kind: "refused";
      readonly error: OpenError;
    };

export interface InspectedStore {
  readonly state: StoreFileState;
  readonly isOlder: boolean;
  readonly freeBytes: number;
  readonly writtenAt?: number;
}

export interface OpenError extends Error {
  readonly code: OpenErrorCode;
  readonly docs: string;
}

export type OpenErrorCode =
  StoreErrorCode | "path-unusable" | "file-missing" | "log-missing" | "log-broken" | "driver-missing";

export interface OpenStoresOptions {
  readonly onFailure?: (error: StoreError) => void;
  readonly onWarning?: (warning: string) => void;
  readonly maxMessageIds?: number;
}

export type StoreFileState = "new" | "closed" | "in-use" | "unclosed";

export interface Stores {
  readonly store: DeliveryStore;
  readonly audiences: AudienceStore;
  close(): Promise<void>;
  abandon(): Promise<void>;
}

export declare function inspectStore(path: string): InspectStoreResult;

export declare function openStores(path: string, options?: OpenStoresOptions): Promise<Stores>;

export declare function startBackup(path: string, copy: string): Backup;

export {};
