// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/client/indexeddb` exports.

import type { CallStorage, Clock, Random } from "@postrider/core";

export interface IndexedDbCallStorage extends CallStorage {
  close(): Promise<void>;
}

export interface IndexedDbCallStorageOptions {
  readonly name: string;
  readonly maxCalls?: number;
  readonly clock?: Clock;
  readonly random?: Random;
}

export declare function createIndexedDbCallStorage(options: IndexedDbCallStorageOptions): IndexedDbCallStorage;

export {};
