// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/client/durable` exports.

import type { Client, ClientOptions } from "@postrider/client";
import type { CallStorage } from "@postrider/core";

export { CallChange } from "@postrider/core";

export { CallStorage } from "@postrider/core";

export interface DurableClient extends Client {
  kept(): Promise<boolean>;
}

export interface DurableClientOptions extends Omit<ClientOptions, "onQueued"> {
  readonly storage: CallStorage;
}

export { KeptCall } from "@postrider/core";

export declare function createDurableClient(
  writeKey: string,
  { storage, ...options }: DurableClientOptions,
): DurableClient;

export {};
