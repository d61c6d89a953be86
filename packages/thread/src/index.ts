// The public exports of thread: the storage ports and the HTTP port of core, used across a message channel.

export { type ConnectedHttp, connectHttp, type ConnectHttpOptions } from "./connect-http.js";
export { type ConnectedStores, connectStores, type ConnectOptions } from "./connect-stores.js";
export { MAX_PENDING_CALLS } from "./limits.js";
export type { ChannelEnd } from "./channel.js";
export { serveHttp, type ServedHttp } from "./serve-http.js";
export { serveStores, type ServedStores } from "./serve-stores.js";
