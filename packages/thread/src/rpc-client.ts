// The calling end of a message port: numbers the requests, and matches each response to its request. Once the message
// port has ended, pending requests reject, although the store may have carried them out, and later requests reject at
// once.

import { createStoreError } from "@postrider/core";
import { MAX_PENDING_CALLS } from "./limits.js";
import {
  OPENING_ID,
  packError,
  type PackedError,
  type RpcRequest,
  type RpcResponse,
  unpackError,
  buffersOf,
  type Parcel,
  type ChannelEnd,
} from "./channel.js";
import type { RemoteMethod } from "./methods.js";

/** Sends requests to the stores at the other end of a message port. */
export interface RpcClient {
  /**
   * Resolves with the first response, which belongs to no request and says which stores are open. Rejects if the stores
   * could not be opened.
   */
  readonly opening: Promise<Parcel>;
  /**
   * Sends a request and resolves with its result. Rejects with the error of the store, with `busy` if too many requests
   * are pending, and with `unavailable` if the message port ends before the response.
   */
  call<Args extends readonly unknown[], Result>(method: RemoteMethod<Args, Result>, ...args: Args): Promise<Result>;
  /** Sends a request like `call`, but without the limit on pending requests: for closing the stores. */
  callUnbounded<Args extends readonly unknown[], Result>(
    method: RemoteMethod<Args, Result>,
    ...args: Args
  ): Promise<Result>;
  /** The reason for which the message port has ended; undefined while it is open. */
  endedBy(): string | undefined;
  /** Waits until the message port has ended, and keeps the process running until then. */
  waitForEnd(): Promise<void>;
}

interface PendingRequest {
  readonly resolve: (parcel: Parcel) => void;
  readonly reject: (error: Error) => void;
}

export interface RpcClientListeners {
  /** Called once, with the reason why the message port has ended, whether or not a request is pending. */
  readonly onEnd: (why: string) => void;
  /** Called with each error that the other end has sent, after the promise of its request was rejected. */
  readonly onError: (error: PackedError) => void;
}

export function createRpcClient(port: ChannelEnd, { onEnd, onError }: RpcClientListeners): RpcClient {
  const pending = new Map<number, PendingRequest>();
  let lastId = OPENING_ID;
  let endReason: string | undefined;
  let isWaitingForEnd = false;
  let resolveEnd: () => void = () => undefined;
  const whenEnded = new Promise<void>((resolve) => {
    resolveEnd = resolve;
  });

  /** The response to a request. Until it has come, the process keeps running. */
  function responseTo(id: number): Promise<Parcel> {
    if (pending.size === 0) port.ref?.();
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
    });
  }

  function take(id: number): PendingRequest | undefined {
    const request = pending.get(id);
    pending.delete(id);
    if (pending.size === 0 && !isWaitingForEnd) port.unref?.();
    return request;
  }

  function onResponse(response: RpcResponse): void {
    const request = take(response.id);
    if (response.kind === "answer") {
      request?.resolve(response);
      return;
    }
    request?.reject(unpackError(response.fault));
    onError(response.fault);
  }

  function onPortEnd(why: string): void {
    if (endReason !== undefined) return;
    endReason = why;
    for (const id of [...pending.keys()]) take(id)?.reject(createStoreError("unavailable", why));
    resolveEnd();
    onEnd(why);
  }

  async function callUnbounded<Args extends readonly unknown[], Result>(
    { name, request, response }: RemoteMethod<Args, Result>,
    ...args: Args
  ): Promise<Result> {
    if (endReason !== undefined) throw createStoreError("unavailable", endReason);
    const parcel = request.pack(args);
    lastId += 1;
    const message: RpcRequest = { id: lastId, name, ...parcel };
    port.postMessage(message, buffersOf(parcel));
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
    endedBy: () => endReason,
    waitForEnd: () => {
      isWaitingForEnd = true;
      port.ref?.();
      return whenEnded;
    },
  };
}

function listen(port: ChannelEnd, onResponse: (response: RpcResponse) => void, onEnd: (why: string) => void): void {
  // Safe cast: only this package writes to the message port.
  port.on("message", (message) => onResponse(message as RpcResponse));
  port.on("messageerror", () => onEnd("the store's thread sent a message that cannot be read"));
  port.on("error", (error) => onEnd(`the store's thread has failed: ${packError(error).message}`));
  port.on("exit", () => onEnd("the store's thread has ended"));
  port.on("close", () => onEnd("the store's thread has ended"));
}
