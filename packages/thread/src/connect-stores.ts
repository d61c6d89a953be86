// The calling side: stores that have the ports of core, and live at the other end of a message port. They resolve and
// reject as the served stores do. Knows no store by name.

import type { AudienceStore, DeletionStore, DeliveryStore } from "@postrider/core";
import type { OpenedStores } from "./messages.js";
import { AUDIENCE_METHODS, DELETION_METHODS, DELIVERY_METHODS, type Method } from "./methods.js";
import { createJsonPacking, type Parcel } from "./parcel.js";
import type { ChannelEnd } from "./port-shape.js";
import { connectPort } from "./remote-port.js";
import { createRpcClient, type RpcClient } from "./rpc-client.js";

export interface ConnectOptions {
  /** Called with the reason when the thread has ended although its stores were not closed. All later calls reject. */
  readonly onEnd?: (why: string) => void;
  /** Called with the message each time a store that is not closed rejects with `corrupt`: it is not to be used any more. */
  readonly onCorrupt?: (why: string) => void;
}

export interface ConnectedStores {
  /** Has `deletions` if the served store has. */
  readonly deliveries: DeliveryStore;
  /** Absent if none is served. */
  readonly audiences?: AudienceStore;
}

/**
 * Resolves with the stores that `serveStores` serves at the other end, once they are open. If they cannot be opened, rejects
 * with the error of the attempt. Between calls the port does not keep the process up.
 */
export async function connectStores(
  port: ChannelEnd,
  { onEnd, onCorrupt }: ConnectOptions = {},
): Promise<ConnectedStores> {
  let open = 0;
  // Stores that were not asked to close. The thread may end in the same turn in which the last response arrives.
  let inUse = 0;
  const listeners = new Set(onEnd === undefined ? [] : [onEnd]);
  const client = createRpcClient(port, {
    onEnd: (why) => {
      if (inUse > 0) for (const listener of listeners) listener(why);
    },
    onError: ({ code, message }) => {
      if (inUse > 0 && code === "corrupt") onCorrupt?.(message);
    },
  });
  const { hasDeletions, hasAudiences } = OPENED.unpack(await opening(client));
  open = hasAudiences ? 2 : 1;
  inUse = open;
  const closing = (method: Method<[], void>): (() => Promise<void>) =>
    once(async () => {
      inUse -= 1;
      await callClose(client, method).catch((error: unknown) => {
        inUse += 1;
        throw error;
      });
      open -= 1;
      if (open === 0) await client.end();
    });
  const deletions = hasDeletions ? { deletions: connectPort<DeletionStore>(DELETION_METHODS, client) } : {};
  const audiences = connectPort<AudienceStore>(AUDIENCE_METHODS, client);
  return {
    deliveries: {
      ...connectPort<Omit<DeliveryStore, "deletions" | "onEnd">>(DELIVERY_METHODS, client),
      ...deletions,
      onEnd: (listener) => {
        const why = client.endedBy();
        if (why === undefined) listeners.add(listener);
        else if (inUse > 0) listener(why);
      },
      close: closing(DELIVERY_METHODS.close),
    },
    ...(hasAudiences ? { audiences: { ...audiences, close: closing(AUDIENCE_METHODS.close) } } : {}),
  };
}

/** Does not reject if the thread has ended: its stores are closed then. */
async function callClose(client: RpcClient, method: Method<[], void>): Promise<void> {
  try {
    await client.callUnbounded(method);
  } catch (error) {
    if (client.endedBy() === undefined) throw error;
  }
}

/** The first response. If it says that the stores could not be opened, the thread ends by itself; waits for that end. */
async function opening(client: RpcClient): Promise<Parcel> {
  try {
    return await client.opening;
  } catch (error) {
    await client.end();
    throw error;
  }
}

const OPENED = createJsonPacking<OpenedStores>();

/** Further calls share the first one's promise; after a failure the next call tries again. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  const forget = (error: unknown): never => {
    done = undefined;
    throw error;
  };
  return () => (done ??= work().catch(forget));
}
