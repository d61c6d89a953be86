// A client with a storage: each call is stored until it has ended, and calls that an earlier process left are made again
// under their messageId. A crash loses at most the calls made just before it. A call that the server had already accepted
// is sent a second time, and deduplicated by its messageId.

import type { CallStorage } from "@postrider/core";
import type { Client, ClientOptions, CloseReport } from "../client.js";
import { createClient } from "../create-client.js";
import type { FlushReport } from "../create-call-tracker.js";
import { createLogger } from "../logger.js";
import { createStorageWriter } from "./create-storage-writer.js";
import { createLoader, type Loader } from "./create-loader.js";

/** The options of `createDurableClient`: those of a client, and the storage of its calls. */
export interface DurableClientOptions extends Omit<ClientOptions, "onQueued"> {
  /** Where calls are kept until they have ended, such as a SQLite database. One client at a time uses it. */
  readonly storage: CallStorage;
}

/** A client whose queued calls are kept in a storage, so that a restart of the process does not lose them. */
export interface DurableClient extends Client {
  /**
   * Resolves with true once a crash can lose no call made so far: each is in the storage, or has ended. Resolves with false
   * if the storage failed: the calls are then in memory only, and are written with the next change. Never rejects.
   */
  kept(): Promise<boolean>;
}

/**
 * Creates a client that stores its calls in `storage`. Makes the calls that are left there again, as soon as its queue has
 * room. `flush` sends these too. `flush` and `close` wait until the storage is up to date. Calls that `close` reports as
 * `closed`, and calls that had no room, stay in the storage for the next client.
 *
 * @throws TypeError if options are invalid, as `createClient` does
 */
export function createDurableClient(writeKey: string, { storage, ...options }: DurableClientOptions): DurableClient {
  const logger = createLogger(options.logger);
  const storageWriter = createStorageWriter(storage, logger);
  const client = createClient(writeKey, {
    ...options,
    onQueued: (call) => storageWriter.keep(call),
    onDelivered: (call) => {
      storageWriter.drop(call.messageId);
      loader.retry();
      return options.onDelivered?.(call);
    },
    onFailed: (call) => {
      if (call.reason !== "closed") storageWriter.drop(call.messageId);
      loader.retry();
      return options.onFailed?.(call);
    },
  });
  const loader = createLoader({ storage, client, logger });

  async function flush(limit: { readonly timeoutMs: number } | undefined): Promise<FlushReport> {
    await loader.loadedOrWaiting;
    const flushed = limit === undefined ? await flushAll(client, loader) : await client.flush(limit);
    await storageWriter.written();
    return flushed;
  }

  async function close(): Promise<CloseReport> {
    loader.stop();
    await loader.loaded;
    const report = await client.close();
    await storageWriter.written();
    return report;
  }

  return {
    ...client,
    kept: () => storageWriter.written(),
    flush,
    close,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await close();
    },
  };
}

/** Flushes until every call that was left in the storage was made before the last flush. */
async function flushAll(client: Client, loader: Loader): Promise<FlushReport> {
  let [delivered, failed] = [0, 0];
  for (;;) {
    const isLast = loader.isLoaded();
    const flushed = await client.flush();
    delivered += flushed.delivered;
    failed += flushed.failed;
    if (isLast) return { delivered, failed, pending: flushed.pending };
  }
}
