// The public exports of sqlite/file: one function opens Postrider's stores on a SQLite file, with all that makes the
// file durable, and one backs such a file up.

export type { OpenError, OpenErrorCode } from "./open-error.js";
export { type Backup, type BackupProgress, startBackup } from "./start-backup.js";
export { openStores, type OpenStoresOptions, type Stores } from "./open-stores.js";
export { type InspectedStore, inspectStore, type InspectStoreResult, type StoreFileState } from "./inspect-store.js";
