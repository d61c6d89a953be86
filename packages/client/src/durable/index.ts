// The public face of the durable queue.

export { createDurableClient, type DurableClientOptions } from "./create-durable-client.js";
export type { CallStorage, KeptCall } from "./call-storage.js";
