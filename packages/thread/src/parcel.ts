// The format on the channel: one JSON text for all values except bytes, since copying text costs a fraction of copying
// objects, and buffers for bytes, transferred without a copy. In the text, a byte array is replaced by its length. Each
// packing converts Maps and undefined entries, which JSON lacks.

import { OWN_BUFFER_BYTES } from "./limits.js";

/** A packed value. */
export interface Parcel {
  readonly text: string;
  /** The byte arrays of less than `OWN_BUFFER_BYTES`, one after the other. Absent if there are none. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** The longer byte arrays, each with its own buffer. Absent if there are none. */
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

/** Collects byte arrays for one parcel. `seal` copies the arrays, so the caller may use them afterwards. */
export interface ByteWriter {
  /** Adds an array, and returns its length, which replaces the array in the text. */
  add(bytes: Uint8Array): number;
  /** Makes a parcel of a text and all added bytes. */
  seal(text: string): Parcel;
}

export function createByteWriter(): ByteWriter {
  const parts: Uint8Array[] = [];
  const large: Uint8Array<ArrayBuffer>[] = [];
  let total = 0;
  return {
    add: (bytes): number => {
      if (bytes.length >= OWN_BUFFER_BYTES) {
        large.push(Uint8Array.from(bytes));
        return bytes.length;
      }
      parts.push(bytes);
      total += bytes.length;
      return bytes.length;
    },
    seal: (text): Parcel => ({
      text,
      ...(total === 0 ? {} : { bytes: concat(parts, total) }),
      ...(large.length === 0 ? {} : { large }),
    }),
  };
}

function concat(parts: readonly Uint8Array[], total: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Returns the next `length` bytes of a parcel. Throws if fewer bytes are left, so that no store keeps a part of a body.
 */
export type ReadBytes = (length: number) => Uint8Array;

/** Reads bytes as views of the buffers, for values that the receiver does not keep. */
export function createReadViews(parcel: Parcel): ReadBytes {
  return createReadBytes(parcel, (bytes, from, to) => bytes.subarray(from, to));
}

/**
 * Reads short arrays as copies, for values that the receiver keeps: a view would keep the shared buffer in memory. Long
 * arrays are not copied.
 */
export function createReadCopies(parcel: Parcel): ReadBytes {
  return createReadBytes(parcel, (bytes, from, to) => bytes.slice(from, to));
}

type Cut = (bytes: Uint8Array, from: number, to: number) => Uint8Array;

function createReadBytes({ bytes = NONE, large = [] }: Parcel, cut: Cut): ReadBytes {
  let from = 0;
  let largeRead = 0;
  return (length) => {
    if (length >= OWN_BUFFER_BYTES) {
      const own = large[largeRead];
      largeRead += 1;
      if (own?.length !== length) throw missing();
      return own;
    }
    from += length;
    if (from > bytes.length) throw missing();
    return cut(bytes, from - length, from);
  };
}

function missing(): Error {
  return new Error("bytes are missing from a message on the port");
}

const NONE = new Uint8Array();
