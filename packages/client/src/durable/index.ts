// The public entry of the durable client.

export type { CallChange, CallStorage, KeptCall, KeptCallPage, KeptCallPageRequest } from "@postrider/core";
export { createDurableClient } from "./create-durable-client.js";
export type { CallBacklog, DurableClient, DurableClientOptions } from "./durable-client.js";
