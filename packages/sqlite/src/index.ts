// The public exports of sqlite: Postrider's stores on SQLite, over any driver of the required type.

export { createSqliteAudienceStore, type SqliteAudienceStoreOptions } from "./audience-store/create-store.js";
export type { SqliteDatabase } from "./file/database.js";
export {
  createSqliteCallStorage,
  type SqliteCallStorage,
  type SqliteCallStorageOptions,
} from "./call-storage/create-call-storage.js";
export { createSqliteStore, type SqliteStoreOptions } from "./delivery-store/create-store.js";
export { checkStoreCopy, prepareStoreCopy } from "./file/copy.js";
export { FILE_HEADER_BYTES, inspectFileHeader, inspectWriteAheadLog } from "./file/inspect.js";
export { writeToLog } from "./file/connection.js";
export { isUsableSqliteVersion } from "./file/open.js";
