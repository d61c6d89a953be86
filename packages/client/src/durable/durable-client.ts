// The public interface of a client whose calls are kept in a storage.

import type { CallStorage } from "@postrider/core";
import type { Client, ClientOptions } from "../client.js";

/** The options of `createDurableClient`: those of a client without `maxRetries` and `onQueued`, and the storage of its calls. */
export interface DurableClientOptions extends Omit<ClientOptions, "onQueued" | "maxRetries"> {
  /** The storage of calls until they have ended, such as a SQLite database. One client at a time uses it. */
  readonly storage: CallStorage;
}

/** The numbers of calls that a durable client has not delivered yet. */
export interface CallBacklog {
  /** All of them; they are in the storage, or are about to be. */
  readonly calls: number;
  /** Those of them that are in memory, to be sent next. */
  readonly inMemory: number;
  /** Those of them that the server refuses alone, or whose stored text is damaged. They are tried again each hour. */
  readonly setAside: number;
}

/** A client whose calls are kept in a storage until the server has answered for each. */
export interface DurableClient extends Client {
  /**
   * Resolves with true once a crash can lose no call made so far: each is in the storage, or has ended. Resolves with false
   * if the storage failed: the calls are then in memory only, and are written with the next change. Never rejects.
   */
  kept(): Promise<boolean>;
  /** The numbers of calls that were not delivered yet. */
  backlog(): CallBacklog;
}
