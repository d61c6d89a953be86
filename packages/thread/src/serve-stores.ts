// The store end of a message port: opens the stores, carries out the requests that arrive, and closes the message port
// once all stores are closed. Knows the stores only by the interfaces of core, and starts the requests in their order.

import type { AudienceStore, DeliveryStore } from "@postrider/core";
import {
  type OpeningReport,
  OPENING_ID,
  packError,
  type PackedError,
  type RpcRequest,
  type RpcResponse,
  buffersOf,
  createJsonPacking,
  type Parcel,
  type ChannelEnd,
} from "./channel.js";
import {
  type AnyFunction,
  AUDIENCE_METHODS,
  AUDIENCE_RECORD_METHODS,
  entriesOf,
  DELIVERY_METHODS,
  PART_NAMES,
  type PartName,
  STORE_PARTS,
  type RemoteMethods,
} from "./methods.js";

/** The stores to serve. */
export interface ServedStores {
  readonly deliveries: DeliveryStore;
  readonly audiences?: AudienceStore;
}

/**
 * Opens stores and serves them on a message port. If the stores cannot be opened, sends the error to the other end and
 * closes the message port. Otherwise closes the message port once all stores are closed. A thread with nothing else to
 * do then ends by itself.
 */
export async function serveStores(open: () => ServedStores | Promise<ServedStores>, port: ChannelEnd): Promise<void> {
  try {
    serve(await open(), port);
  } catch (error) {
    sendError(port, OPENING_ID, packError(error));
    port.close?.();
  }
}

function serve(stores: ServedStores, port: ChannelEnd): void {
  const { deliveries, audiences } = stores;
  const handlers = handlersOfAll(stores);
  /** The names of the `close` methods of the open stores. */
  const openStores = new Set([
    DELIVERY_METHODS.close.name,
    ...(audiences === undefined ? [] : [AUDIENCE_METHODS.close.name]),
  ]);

  async function onRequest({ id, name, ...parcel }: RpcRequest): Promise<void> {
    try {
      const handle = handlers.get(name) ?? refuseUnknown;
      sendResult(port, id, await handle(parcel));
    } catch (error) {
      sendError(port, id, packError(error));
    }
    // A store whose `close` rejects counts as closed.
    openStores.delete(name);
    if (openStores.size === 0) port.close?.();
  }

  // Safe cast: only this package writes to the message port.
  port.on("message", (message) => void onRequest(message as RpcRequest));
  const flags = PART_NAMES.map((name): [string, boolean] => [STORE_PARTS[name].flag, deliveries[name] !== undefined]);
  const report: OpeningReport = { ...Object.fromEntries(flags), hasAudiences: audiences !== undefined };
  sendResult(port, OPENING_ID, createJsonPacking<OpeningReport>().pack(report));
}

function sendResult(port: ChannelEnd, id: number, parcel: Parcel): void {
  const response: RpcResponse = { kind: "answer", id, ...parcel };
  port.postMessage(response, buffersOf(parcel));
}

function sendError(port: ChannelEnd, id: number, fault: PackedError): void {
  const response: RpcResponse = { kind: "fault", id, fault };
  port.postMessage(response, []);
}

function refuseUnknown(): Promise<Parcel> {
  return Promise.reject(new Error("no such method: both ends must run the same version of @postrider/thread"));
}

function handlersOfAll({ deliveries, audiences }: ServedStores): ReadonlyMap<string, MethodHandler> {
  return new Map([
    ...handlersOf(DELIVERY_METHODS, deliveries),
    ...PART_NAMES.flatMap((name) => handlersOfPart(deliveries, name)),
    ...(audiences === undefined ? [] : handlersOf<object>(AUDIENCE_METHODS, audiences)),
    ...(audiences === undefined ? [] : handlersOf(AUDIENCE_RECORD_METHODS, audiences.records)),
  ]);
}

function handlersOfPart(deliveries: DeliveryStore, name: PartName): readonly [string, MethodHandler][] {
  const part = deliveries[name];
  return part === undefined ? [] : handlersOf<object>(STORE_PARTS[name].methods, part);
}

/** Carries out one request. Rejects with the error with which the method rejects. */
type MethodHandler = (request: Parcel) => Promise<Parcel>;

/** The handlers of a port of core, by the names of its methods on the channel. */
function handlersOf<Port extends object>(methods: RemoteMethods<Port>, port: Port): readonly [string, MethodHandler][] {
  const functions = port as Readonly<Record<string, AnyFunction>>;
  return entriesOf(methods).map(([key, { name, request, response }]): [string, MethodHandler] => [
    name,
    // Called as a method, since a store may be an object that needs its `this`.
    async (parcel) => response.pack(await functions[key]?.(...request.unpack(parcel))),
  ]);
}
