// The calling end of a message port: objects with the storage ports of core, whose methods run in the stores at the
// other end, and resolve or reject as these stores do. Knows the stores only by the interfaces of core.

import type { AudienceStore, DeliveryStore, RecordStore } from "@postrider/core";
import { type OpeningReport, createJsonPacking, type Parcel, type ChannelEnd } from "./channel.js";
import {
  type AnyFunction,
  AUDIENCE_METHODS,
  AUDIENCE_RECORD_METHODS,
  entriesOf,
  DELIVERY_METHODS,
  type DeliveryMethods,
  PART_NAMES,
  type PartName,
  type RemoteMethod,
  STORE_PARTS,
  type RemoteMethods,
} from "./methods.js";
import { createRpcClient, type RpcClient } from "./rpc-client.js";

/** The options of `connectStores`. */
export interface ConnectOptions {
  /**
   * Called with the reason when the thread has ended although its stores were not closed. All methods of the stores
   * reject from then on.
   */
  readonly onEnd?: (why: string) => void;
  /**
   * Called with the message each time a store rejects with `corrupt`, until all stores were asked to close. A store
   * that has rejected with `corrupt` must not be used any more.
   */
  readonly onCorrupt?: (why: string) => void;
}

/** Stores that run in another thread, as if they were in this one. */
export interface ConnectedStores {
  /** Has `deletions`, `records` and `clock` if the served store has them. */
  readonly deliveries: DeliveryStore;
  /** Absent if no audience store is served. */
  readonly audiences?: AudienceStore;
}

/**
 * Resolves with the stores that `serveStores` serves at the other end, once they are open. If they cannot be opened,
 * rejects with the error of the attempt. While no request is pending, the message port does not keep the process
 * running.
 */
export async function connectStores(
  port: ChannelEnd,
  { onEnd, onCorrupt }: ConnectOptions = {},
): Promise<ConnectedStores> {
  /** The number of open stores. */
  let openCount = 0;
  // The `close` methods of the stores that were not asked to close. These are not `openCount`: the thread may end in the same loop turn in
  // which the last response arrives.
  const inUse = new Set<RemoteMethod<[], void>>();
  /** The listeners of the store of deliveries, which has not ended by itself once it was asked to close. */
  const listeners = new Set<(why: string) => void>();
  const client = createRpcClient(port, {
    onEnd: (why) => {
      if (inUse.size > 0) onEnd?.(why);
      if (inUse.has(DELIVERY_METHODS.close)) for (const listener of listeners) listener(why);
    },
    onError: ({ code, message }) => {
      if (inUse.size > 0 && code === "corrupt") onCorrupt?.(message);
    },
  });
  const report = OPENING_REPORT.unpack(await waitForOpening(client));
  const { hasAudiences } = report;
  inUse.add(DELIVERY_METHODS.close);
  if (hasAudiences) inUse.add(AUDIENCE_METHODS.close);
  openCount = inUse.size;
  const createClose = (method: RemoteMethod<[], void>): (() => Promise<void>) =>
    once(async () => {
      inUse.delete(method);
      await callClose(client, method).catch((error: unknown) => {
        inUse.add(method);
        throw error;
      });
      openCount -= 1;
      if (openCount === 0) await client.waitForEnd();
    });
  const audiences = {
    ...connectPort<Omit<AudienceStore, "records">>(AUDIENCE_METHODS, client),
    records: connectPort<RecordStore>(AUDIENCE_RECORD_METHODS, client),
  };
  return {
    deliveries: {
      ...connectPort<DeliveryMethods>(DELIVERY_METHODS, client),
      ...connectParts(report, client),
      onEnd: (listener) => {
        const why = client.endedBy();
        if (why === undefined) listeners.add(listener);
        else if (inUse.has(DELIVERY_METHODS.close)) listener(why);
      },
      close: createClose(DELIVERY_METHODS.close),
    },
    ...(hasAudiences ? { audiences: { ...audiences, close: createClose(AUDIENCE_METHODS.close) } } : {}),
  };
}

/** The parts that the served store has. */
function connectParts(report: OpeningReport, client: RpcClient): Pick<DeliveryStore, PartName> {
  const names = PART_NAMES.filter((name) => report[STORE_PARTS[name].flag] === true);
  return Object.fromEntries(names.map((name) => [name, connectPort<object>(STORE_PARTS[name].methods, client)]));
}

/** A port of core whose methods send requests to the other end. */
function connectPort<Port extends object>(methods: RemoteMethods<Port>, client: Pick<RpcClient, "call">): Port {
  const entries = entriesOf(methods).map(([key, method]): [string, AnyFunction] => [
    key,
    (...args) => client.call(method, ...withoutTrailingUndefined(args)),
  ]);
  // Safe cast: the type of `methods` demands an entry for each method of the port.
  return Object.fromEntries(entries) as Port;
}

/** Removes `undefined` at the end of the arguments, since JSON would turn `undefined` into null. */
function withoutTrailingUndefined(args: readonly unknown[]): readonly unknown[] {
  return args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1);
}

/** Asks a store to close. Does not reject if the thread has ended, since its stores are closed then. */
async function callClose(client: RpcClient, method: RemoteMethod<[], void>): Promise<void> {
  try {
    await client.callUnbounded(method);
  } catch (error) {
    if (client.endedBy() === undefined) throw error;
  }
}

/**
 * Waits for the first response. If the stores could not be opened, the thread ends by itself; waits for that end too.
 */
async function waitForOpening(client: RpcClient): Promise<Parcel> {
  try {
    return await client.opening;
  } catch (error) {
    await client.waitForEnd();
    throw error;
  }
}

const OPENING_REPORT = createJsonPacking<OpeningReport>();

/**
 * Returns a function that runs `work` on its first call, and returns the same promise on further calls. After a
 * failure, the next call runs `work` again.
 */
function once(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  const forget = (error: unknown): never => {
    result = undefined;
    throw error;
  };
  return () => (result ??= work().catch(forget));
}
