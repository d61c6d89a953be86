// The public entry of the storage in the browser.

export { createIndexedDbCallStorage } from "./create-indexed-db-call-storage.js";
export type { IndexedDbCallStorage, IndexedDbCallStorageOptions } from "./create-indexed-db-call-storage.js";
