// A message channel and its messages: requests, and responses with the number of their request. Each has a text, and buffers that are
// transferred without a copy; a packing turns a value into both (decision: flat parcels). A batch gathers the items of one turn of the
// event loop, to send them together.

import { MAX_TURN_BYTES, MAX_TURN_ITEMS } from "./limits.js";

/** The part of a worker or of a message port that is used. */
export interface ChannelEnd {
  /** Sends a copy of the message. The buffers in `transfer` are moved without a copy; the sender can no longer use them. */
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /**
   * Adds a listener for an event. The events are `message`; `messageerror` for a message that cannot be read; and, when
   * the channel ends, `error` and `exit` of a worker, or `close` of a message port. Messages that arrive before the
   * first listener are kept for it.
   */
  on(event: string, listener: (value: unknown) => void): unknown;
  /** Ends the channel. Absent on a `Worker`, whose channel ends with its thread. */
  close?(): void;
  /** After `ref` the open channel keeps the process running; after `unref` it does not. */
  ref?(): void;
  unref?(): void;
}

/** A packed value. */
export interface Parcel {
  readonly text: string;
  /** Numbers, and byte arrays after them. Absent if the value is packed as JSON. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Long byte arrays that the receiver keeps, each with its own buffer. Absent if there are none. */
  readonly large?: readonly Uint8Array<ArrayBuffer>[];
}

/** The buffers of a parcel, to be transferred with it. */
export function buffersOf({ bytes, large = [] }: Parcel): ArrayBuffer[] {
  return [...(bytes === undefined ? [] : [bytes]), ...large].map(({ buffer }) => buffer);
}

/** Packs one type of value. Both ends run this code, so an unpacked value equals the packed one. */
export interface Packing<T> {
  pack(value: T): Parcel;
  unpack(parcel: Parcel): T;
}

/** A packing for values that JSON can express, and for `undefined`, which becomes an empty text. */
export function createJsonPacking<T>(): Packing<T> {
  return {
    pack: (value) => ({ text: value === undefined ? "" : JSON.stringify(value) }),
    unpack: ({ text }) => (text === "" ? undefined : JSON.parse(text)) as T,
  };
}

/** The number of the first response, which says whether the stores are open. No request has it. */
export const OPENING_ID = 0;

/** The opened stores: `hasAudiences`, and a flag for each part of the delivery store. */
export interface OpeningReport {
  readonly hasAudiences: boolean;
  readonly [flag: `has${string}`]: boolean;
}

export interface RpcRequest extends Parcel {
  /** More than `OPENING_ID`. */
  readonly id: number;
  /** The name of a method. */
  readonly name: string;
}

export type RpcResponse =
  | (Parcel & { readonly kind: "answer"; readonly id: number })
  | { readonly kind: "fault"; readonly id: number; readonly fault: PackedError };

/** An error of a store, as it is sent. */
export interface PackedError {
  /** The `code` of the error, such as that of a `StoreError`; null if the error has no code. */
  readonly code: string | null;
  readonly message: string;
}

export function packError(error: unknown): PackedError {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return {
    code: typeof code === "string" ? code : null,
    message: error instanceof Error ? error.message : "an unknown fault",
  };
}

export function unpackError({ code, message }: PackedError): Error {
  return code === null ? new Error(message) : Object.assign(new Error(message), { code });
}

declare const setImmediate: (run: () => void) => unknown;

interface TurnBatch<T> {
  /** Adds an item, which has about this number of bytes. */
  add(item: T, bytes: number): void;
  /** Takes out the items that were not sent yet. */
  take(): readonly T[];
}

/** `post` is called with the items of a turn after the next poll for events, or as soon as they reach a limit; never without items. */
export function createTurnBatch<T>(post: (items: readonly T[]) => void): TurnBatch<T> {
  let items: T[] = [];
  let gatheredBytes = 0;
  let isPlanned = false;

  function take(): readonly T[] {
    const batch = items;
    items = [];
    gatheredBytes = 0;
    return batch;
  }

  function postAll(): void {
    isPlanned = false;
    if (items.length > 0) post(take());
  }

  return {
    take,
    add: (item, bytes) => {
      items.push(item);
      gatheredBytes += bytes;
      if (items.length >= MAX_TURN_ITEMS || gatheredBytes >= MAX_TURN_BYTES) post(take());
      else if (!isPlanned) {
        isPlanned = true;
        setImmediate(postAll);
      }
    },
  };
}
