// The public exports of memory: every port in memory, bounded and deterministic.

export { type MemoryAudienceStoreBounds, DEFAULT_AUDIENCE_BOUNDS } from "./audience-store/contents.js";
export { createMemoryAudienceStore, type MemoryAudienceStoreOptions } from "./audience-store/create-store.js";
export { createMemoryCallStorage, type MemoryCallStorageOptions } from "./call-storage/create-call-storage.js";
export { type MemoryStoreBounds, DEFAULT_MEMORY_STORE_BOUNDS } from "./delivery-store/bounds.js";
export { createMemoryStore, type MemoryStoreOptions } from "./delivery-store/create-store.js";
export { beginMemoryTransaction, type MemoryTransaction } from "./delivery-store/outbox.js";
export { createManualClock, type ManualClock, type ManualClockOptions } from "./manual-clock.js";
export { createMemoryDisk, type MemoryDisk } from "./memory-disk.js";
export {
  createScriptedHttp,
  type HttpScript,
  type RepliesByUrl,
  type ScriptedHttp,
  type ScriptedHttpOptions,
  type ScriptedReply,
  type SentRequest,
} from "./scripted-http.js";
export { createSeededRandom } from "./seeded-random.js";
