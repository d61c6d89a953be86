// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/client/durable` exports.

import type { Client, ClientOptions } from "@postrider/client";
import type { CallStorage } from "@postrider/core";

export interface CallBacklog {
  readonly calls: number;
  readonly inMemory: number;
  readonly setAside: number;
}

export { CallChange } from "@postrider/core";

export { CallStorage } from "@postrider/core";

export interface DurableClient extends Client {
  kept(): Promise<boolean>;
  backlog(): CallBacklog;
}

export interface DurableClientOptions extends Omit<ClientOptions, "onQueued" | "maxRetries"> {
  readonly storage: CallStorage;
}

export { KeptCall } from "@postrider/core";

export { KeptCallPage } from "@postrider/core";

export { KeptCallPageRequest } from "@postrider/core";

export declare function createDurableClient(
  writeKey: string,
  { storage, ...options }: DurableClientOptions,
): DurableClient;

export {};
