// The calling library without a storage: queued calls are in memory, and calls that do not fit are refused.

import type { Client, ClientOptions } from "./client.js";
import { createCaller } from "./create-caller.js";
import { createSender } from "./create-sender.js";

/**
 * Creates a client for the source with this write key.
 *
 * @throws TypeError with every problem if options are invalid, so that such a mistake is seen when the program starts
 */
export function createClient(writeKey: string, options: ClientOptions): Client {
  return createCaller(writeKey, options, {
    createSender,
    placeOf: (call, hasRoom) => {
      if (!hasRoom) return "nowhere";
      options.onQueued?.(call);
      return "queue";
    },
    onEnd: () => true,
  }).client;
}
