// The format on the channel: one JSON text for all values except bytes, since copying text costs a fraction of copying
// objects, and one buffer for bytes, transferred without a copy. In the text, a byte array is replaced by its length.
// Each packing converts Maps and undefined entries, which JSON lacks.

/** A packed value. */
export interface Parcel {
  readonly text: string;
  /** Absent if the value has no bytes. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
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
  let total = 0;
  return {
    add: (bytes): number => {
      parts.push(bytes);
      total += bytes.length;
      return bytes.length;
    },
    seal: (text): Parcel => (total === 0 ? { text } : { text, bytes: concat(parts, total) }),
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

/** Reads bytes as views of the buffer, for values that the receiver does not keep. */
export function createReadViews({ bytes = NONE }: Parcel): ReadBytes {
  return createReadBytes(bytes.length, (from, to) => bytes.subarray(from, to));
}

/** Reads bytes as copies, for values that the receiver keeps: a view would keep the whole buffer in memory. */
export function createReadCopies({ bytes = NONE }: Parcel): ReadBytes {
  return createReadBytes(bytes.length, (from, to) => bytes.slice(from, to));
}

function createReadBytes(total: number, cut: (from: number, to: number) => Uint8Array): ReadBytes {
  let from = 0;
  return (length) => {
    from += length;
    if (from > total) throw new Error("bytes are missing from a message on the port");
    return cut(from - length, from);
  };
}

const NONE = new Uint8Array();
