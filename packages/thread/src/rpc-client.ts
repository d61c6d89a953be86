// The calling side of a port: numbers the requests, matches each response to its call, and rejects the calls whose response
// can no longer come. When the port ends, pending calls reject with an unknown outcome, and later calls reject at once.
// Knows no store.

import { createStoreError } from "@postrider/core";
import { MAX_PENDING_CALLS } from "./limits.js";
import { OPENING_ID, packError, type PackedError, type RpcRequest, type RpcResponse, unpackError } from "./messages.js";
import type { Method } from "./methods.js";
import type { Parcel } from "./parcel.js";
import type { ChannelEnd } from "./port-shape.js";

export interface RpcClient {
  /** The first response, which has no request: whether the stores are open. */
  readonly opening: Promise<Parcel>;
  /** Rejects as the store did; with `busy` if too many calls are pending; with `unavailable` once the port has ended. */
  call<Args extends readonly unknown[], Result>(method: Method<Args, Result>, ...args: Args): Promise<Result>;
  /** The same without the limit: for calls that end the stores. */
  callUnbounded<Args extends readonly unknown[], Result>(method: Method<Args, Result>, ...args: Args): Promise<Result>;
  /** Why the port has ended, if it has. */
  endedBy(): string | undefined;
  /** Resolves once the port has ended; until then the process stays up. */
  end(): Promise<void>;
}

interface PendingCall {
  readonly resolve: (parcel: Parcel) => void;
  readonly reject: (error: Error) => void;
}

export interface RpcClientListeners {
  /** Called once, with the reason why the port has ended, whether or not a call is pending. */
  readonly onEnd: (why: string) => void;
  /** Called for each error that the other end responds with, after its call was rejected. */
  readonly onError: (error: PackedError) => void;
}

export function createRpcClient(port: ChannelEnd, { onEnd, onError }: RpcClientListeners): RpcClient {
  const pending = new Map<number, PendingCall>();
  let lastId = OPENING_ID;
  let ended: string | undefined;
  let isEnding = false;
  let resolveEnd: () => void = () => undefined;
  const whenEnded = new Promise<void>((resolve) => {
    resolveEnd = resolve;
  });

  /** Keeps the process up until the response has come. */
  function responseTo(id: number): Promise<Parcel> {
    if (pending.size === 0) port.ref?.();
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
    });
  }

  function take(id: number): PendingCall | undefined {
    const call = pending.get(id);
    pending.delete(id);
    if (pending.size === 0 && !isEnding) port.unref?.();
    return call;
  }

  function onResponse(response: RpcResponse): void {
    const call = take(response.id);
    if (response.kind === "answer") {
      call?.resolve(response);
      return;
    }
    call?.reject(unpackError(response.fault));
    onError(response.fault);
  }

  function onPortEnd(why: string): void {
    if (ended !== undefined) return;
    ended = why;
    for (const id of [...pending.keys()]) take(id)?.reject(createStoreError("unavailable", why));
    resolveEnd();
    onEnd(why);
  }

  async function callUnbounded<Args extends readonly unknown[], Result>(
    { name, request, response }: Method<Args, Result>,
    ...args: Args
  ): Promise<Result> {
    if (ended !== undefined) throw createStoreError("unavailable", ended);
    const parcel = request.pack(args);
    lastId += 1;
    const message: RpcRequest = { id: lastId, name, ...parcel };
    port.postMessage(message, parcel.bytes === undefined ? [] : [parcel.bytes.buffer]);
    return response.unpack(await responseTo(lastId));
  }

  listen(port, onResponse, onPortEnd);

  return {
    opening: responseTo(OPENING_ID),
    call: async (method, ...args) => {
      if (pending.size >= MAX_PENDING_CALLS) throw createStoreError("busy", "too many calls to the store are pending");
      return callUnbounded(method, ...args);
    },
    callUnbounded,
    endedBy: () => ended,
    end: () => {
      isEnding = true;
      port.ref?.();
      return whenEnded;
    },
  };
}

function listen(port: ChannelEnd, onResponse: (response: RpcResponse) => void, onEnd: (why: string) => void): void {
  // Safe cast: only this package writes to the port.
  port.on("message", (message) => onResponse(message as RpcResponse));
  port.on("messageerror", () => onEnd("the store's thread sent a message that cannot be read"));
  port.on("error", (error) => onEnd(`the store's thread has failed: ${packError(error).message}`));
  port.on("exit", () => onEnd("the store's thread has ended"));
  port.on("close", () => onEnd("the store's thread has ended"));
}
