// The public exports of thread: the storage ports of core, used across a message channel.

export { type ConnectedStores, connectStores, type ConnectOptions } from "./connect-stores.js";
export { MAX_PENDING_CALLS } from "./limits.js";
export type { ChannelEnd } from "./port-shape.js";
export { serveStores, type ServedStores } from "./serve-stores.js";
