// The same client, on a storage: what is called is kept until it has come to its end, and what an earlier process left is
// called anew, under its messageId. A crash loses at most what was called in the moment before it; what the server had
// taken already comes a second time, and is known by its messageId.

import type { Client, ClientOptions } from "../client.js";
import { createClient } from "../create-client.js";
import { createLogger, type Logger } from "../logger.js";
import type { CallStorage, KeptCall } from "./call-storage.js";
import { createKeeper } from "./create-keeper.js";

export interface DurableClientOptions extends Omit<ClientOptions, "onQueued"> {
  readonly storage: CallStorage;
}

/**
 * Creates a client that keeps its calls in `storage`. `flush` and `close` wait until what they have done is written. What
 * `close` reports as `closed` stays in the storage, for the next client.
 *
 * @throws TypeError when an option makes no sense, as `createClient` does
 */
export function createDurableClient(writeKey: string, { storage, ...options }: DurableClientOptions): Client {
  const logger = createLogger(options.logger);
  const keeper = createKeeper(storage, logger);
  const client = createClient(writeKey, {
    ...options,
    onQueued: (call) => keeper.keep(call),
    onDelivered: (call) => {
      keeper.drop(call.messageId);
      return options.onDelivered?.(call);
    },
    onFailed: (call) => {
      if (call.reason !== "closed") keeper.drop(call.messageId);
      return options.onFailed?.(call);
    },
  });
  const loaded = load(storage, client, logger);

  async function afterwards<T>(work: () => Promise<T>): Promise<T> {
    await loaded;
    const done = await work();
    await keeper.idle();
    return done;
  }

  return {
    ...client,
    flush: (limit) => afterwards(() => client.flush(limit)),
    close: () => afterwards(() => client.close()),
    [Symbol.asyncDispose]: () => afterwards(() => client[Symbol.asyncDispose]()),
  };
}

/** Makes the calls that an earlier process left. One for which there is no room stays where it is. */
async function load(storage: CallStorage, client: Client, logger: Logger): Promise<void> {
  const left = await storage.load().catch((): readonly KeptCall[] => {
    logger.log("error", { code: "storage-failed" });
    return [];
  });
  for (const { type, json } of left) {
    await client.ready();
    // Whatever it has become on the disk: the client looks at it as at any other call.
    client[type](JSON.parse(json) as never).match(
      () => undefined,
      ({ code }) => logger.log("warning", { code: "call-left", detail: code }),
    );
  }
}
