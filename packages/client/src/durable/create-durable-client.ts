// The same client, on a storage: what is called is kept until it has come to its end, and what an earlier process left is
// called anew, under its messageId. A crash loses at most what was called in the moment before it; what the server had
// taken already comes a second time, and is known by its messageId.

import type { CallStorage } from "@postrider/core";
import type { Client, ClientOptions, CloseReport } from "../client.js";
import { createClient } from "../create-client.js";
import type { Flushed } from "../create-call-tracker.js";
import { createLogger } from "../logger.js";
import { createKeeper } from "./create-keeper.js";
import { createLoader, type Loader } from "./create-loader.js";

export interface DurableClientOptions extends Omit<ClientOptions, "onQueued"> {
  readonly storage: CallStorage;
}

export interface DurableClient extends Client {
  /**
   * Resolves with true once a crash could lose no call that was made before: each is in the storage, or has come to its
   * end. With false where the storage fails; the calls are in memory alone then, and written with the next that are made.
   * Never rejects.
   */
  kept(): Promise<boolean>;
}

/**
 * Creates a client that keeps its calls in `storage`, and makes anew, as it has room, what is left there. `flush` sends
 * that too. `flush` and `close` wait until what they have done is written. What `close` reports as `closed`, or had no room
 * for, stays in the storage, for the next client.
 *
 * @throws TypeError when an option makes no sense, as `createClient` does
 */
export function createDurableClient(writeKey: string, { storage, ...options }: DurableClientOptions): DurableClient {
  const logger = createLogger(options.logger);
  const keeper = createKeeper(storage, logger);
  const client = createClient(writeKey, {
    ...options,
    onQueued: (call) => keeper.keep(call),
    onDelivered: (call) => {
      keeper.drop(call.messageId);
      loader.goOn();
      return options.onDelivered?.(call);
    },
    onFailed: (call) => {
      if (call.reason !== "closed") keeper.drop(call.messageId);
      loader.goOn();
      return options.onFailed?.(call);
    },
  });
  const loader = createLoader({ storage, client, logger });

  async function flush(limit: { readonly timeoutMs: number } | undefined): Promise<Flushed> {
    await loader.begun;
    const flushed = limit === undefined ? await flushAll(client, loader) : await client.flush(limit);
    await keeper.written();
    return flushed;
  }

  async function close(): Promise<CloseReport> {
    loader.stop();
    await loader.loaded;
    const report = await client.close();
    await keeper.written();
    return report;
  }

  return {
    ...client,
    kept: () => keeper.written(),
    flush,
    close,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await close();
    },
  };
}

/** What is left is made as there is room for it: flushes until all of that was made before a flush. */
async function flushAll(client: Client, loader: Loader): Promise<Flushed> {
  let [delivered, failed] = [0, 0];
  for (;;) {
    const isLast = loader.isLoaded();
    const flushed = await client.flush();
    delivered += flushed.delivered;
    failed += flushed.failed;
    if (isLast) return { delivered, failed, pending: flushed.pending };
  }
}
