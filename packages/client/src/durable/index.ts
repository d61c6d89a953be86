// The public entry of the durable client.

export type { CallChange, CallStorage, KeptCall } from "@postrider/core";
export { createDurableClient, type DurableClient, type DurableClientOptions } from "./create-durable-client.js";
