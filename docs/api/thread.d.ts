// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/thread` exports.

import type { AudienceStore, Clock, DeliveryStore, HttpPort } from "@postrider/core";

export interface ChannelEnd {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  on(event: string, listener: (value: unknown) => void): unknown;
  close?(): void;
  ref?(): void;
  unref?(): void;
}

export interface ConnectHttpOptions {
  readonly clock: Pick<Clock, "monotonic" | "after">;
  readonly listening?: (() => readonly CallerAddress[]) | undefined;
  readonly terminate: () => void;
  readonly onEnd: (why: string) => void;
}

export interface ConnectOptions {
  readonly onEnd?: (why: string) => void;
  readonly onCorrupt?: (why: string) => void;
}

export interface ConnectedHttp extends HttpPort {
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

export interface ConnectedStores {
  readonly deliveries: DeliveryStore;
  readonly audiences?: AudienceStore;
}

export declare const MAX_PENDING_CALLS = 1000;

export interface ServedHttp extends HttpPort {
  close(): Promise<void>;
}

export interface ServedStores {
  readonly deliveries: DeliveryStore;
  readonly audiences?: AudienceStore;
}

export declare function connectHttp(
  port: ChannelEnd,
  { clock, listening, terminate, onEnd }: ConnectHttpOptions,
): ConnectedHttp;

export declare function connectStores(
  port: ChannelEnd,
  { onEnd, onCorrupt }?: ConnectOptions,
): Promise<ConnectedStores>;

export declare function serveHttp(
  create: (listening: () => readonly CallerAddress[]) => ServedHttp,
  port: ChannelEnd,
): void;

export declare function serveStores(open: () => ServedStores | Promise<ServedStores>, port: ChannelEnd): Promise<void>;

// Not exported by name, but part of what is.

interface CallerAddress {
  readonly host: string;
  readonly port: number;
}

export {};
