// Makes the two ends of a port of core from the table of its methods: an object whose methods send requests across the
// channel, and the handlers that carry out these requests. Knows no store.

import type { RemoteMethod, RemoteMethods } from "./methods.js";
import type { Parcel } from "./parcel.js";
import type { RpcClient } from "./rpc-client.js";

type AnyMethod = RemoteMethod<readonly unknown[], unknown>;
type AnyFunction = (...args: readonly unknown[]) => Promise<unknown>;

/** A port of core whose methods send requests to the other end. */
export function connectPort<Port extends object>(methods: RemoteMethods<Port>, client: Pick<RpcClient, "call">): Port {
  const entries = entriesOf(methods).map(([key, method]): [string, AnyFunction] => [
    key,
    (...args) => client.call(method, ...withoutTrailingUndefined(args)),
  ]);
  // Safe cast: the type of `methods` demands an entry for each method of the port.
  return Object.fromEntries(entries) as Port;
}

/** Carries out one request. Rejects with the error with which the method rejects. */
export type MethodHandler = (request: Parcel) => Promise<Parcel>;

/** The handlers of a port of core, by the names of its methods on the channel. */
export function handlersOf<Port extends object>(
  methods: RemoteMethods<Port>,
  port: Port,
): readonly [string, MethodHandler][] {
  const functions = port as Readonly<Record<string, AnyFunction>>;
  return entriesOf(methods).map(([key, { name, request, response }]): [string, MethodHandler] => [
    name,
    // Called as a method, since a store may be an object that needs its `this`.
    async (parcel) => response.pack(await functions[key]?.(...request.unpack(parcel))),
  ]);
}

function entriesOf(methods: object): readonly [string, AnyMethod][] {
  return Object.entries(methods as Readonly<Record<string, AnyMethod>>);
}

/** Removes `undefined` at the end of the arguments, since JSON would turn `undefined` into null. */
function withoutTrailingUndefined(args: readonly unknown[]): readonly unknown[] {
  return args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1);
}
