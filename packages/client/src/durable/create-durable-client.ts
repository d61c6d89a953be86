// The same client, on a storage: what is called is kept until it has come to its end, and what an earlier process left is
// called anew, under its messageId. A crash loses at most what was called in the moment before it; what the server had
// taken already comes a second time, and is known by its messageId.

import type { CallStorage, KeptCall } from "@postrider/core";
import type { Client, ClientOptions } from "../client.js";
import { createClient } from "../create-client.js";
import { createLogger, type Logger } from "../logger.js";
import { createKeeper } from "./create-keeper.js";

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
 * Creates a client that keeps its calls in `storage`. `flush` and `close` wait until what they have done is written. What
 * `close` reports as `closed` stays in the storage, for the next client.
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
    await keeper.written();
    return done;
  }

  return {
    ...client,
    kept: () => keeper.written(),
    flush: (limit) => afterwards(() => client.flush(limit)),
    close: () => afterwards(() => client.close()),
    [Symbol.asyncDispose]: () => afterwards(() => client[Symbol.asyncDispose]()),
  };
}

/** Makes the calls that an earlier process left. One that cannot be made, as for lack of room, stays where it is. */
async function load(storage: CallStorage, client: Client, logger: Logger): Promise<void> {
  const left = await loadFrom(storage, logger);
  for (const call of left) {
    await client.ready();
    const refusedAs = makeAnew(client, call);
    if (refusedAs !== undefined) logger.log("warning", { code: "call-left", detail: refusedAs });
  }
}

async function loadFrom(storage: CallStorage, logger: Logger): Promise<readonly KeptCall[]> {
  try {
    return await storage.load();
  } catch {
    logger.log("error", { code: "storage-failed" });
    return [];
  }
}

/** Why the call was refused; undefined if it was not. Whatever has become of it on the disk, this does not throw. */
function makeAnew(client: Client, { type, json }: KeptCall): string | undefined {
  try {
    // The client looks at it as at any other call.
    return client[type](JSON.parse(json) as never).match(
      () => undefined,
      ({ code }) => code,
    );
  } catch {
    return "unreadable";
  }
}
