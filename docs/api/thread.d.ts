// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/thread` exports.

import type { AudienceStore, DeliveryStore } from "@postrider/core";

export interface ChannelEnd {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  on(event: string, listener: (value: unknown) => void): unknown;
  close?(): void;
  ref?(): void;
  unref?(): void;
}

export interface ConnectOptions {
  readonly onEnd?: (why: string) => void;
  readonly onCorrupt?: (why: string) => void;
}

export interface ConnectedStores {
  readonly deliveries: DeliveryStore;
  readonly audiences?: AudienceStore;
}

export declare const MAX_PENDING_CALLS = 1000;

export interface ServedStores {
  readonly deliveries: DeliveryStore;
  readonly audiences?: AudienceStore;
}

export declare function connectStores(
  port: ChannelEnd,
  { onEnd, onCorrupt }?: ConnectOptions,
): Promise<ConnectedStores>;

export declare function serveStores(open: () => ServedStores | Promise<ServedStores>, port: ChannelEnd): Promise<void>;

export {};
