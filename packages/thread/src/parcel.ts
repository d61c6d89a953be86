// The format on the channel: all values but bytes as one JSON text, since copying text costs a fraction of copying objects;
// and all bytes in one buffer that is transferred without a copy. In the text, the length of a byte array stands for the
// array. Maps and lists with undefined entries, which JSON lacks, are left to each packing.

export interface Parcel {
  readonly text: string;
  /** Absent if the value has no bytes. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** Packs one type of value. Both ends run this code, so a value unpacks to what was packed. */
export interface Packing<T> {
  pack(value: T): Parcel;
  unpack(parcel: Parcel): T;
}

/** For values that JSON can express; `undefined` itself becomes an empty text. */
export function createJsonPacking<T>(): Packing<T> {
  return {
    pack: (value) => ({ text: value === undefined ? "" : JSON.stringify(value) }),
    unpack: ({ text }) => (text === "" ? undefined : JSON.parse(text)) as T,
  };
}

/** Collects byte arrays for one parcel. Each is copied, so the caller may go on using it. */
export interface ByteWriter {
  /** Returns the length, which stands in the text for the bytes. */
  add(bytes: Uint8Array): number;
  /** The parcel of a text and all added bytes. */
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

/** Returns the next `length` bytes of a parcel. Throws if too few are left: no store may keep half a body. */
export type ReadBytes = (length: number) => Uint8Array;

/** Reads views of the buffer: for values that are not kept. */
export function createReadViews({ bytes = NONE }: Parcel): ReadBytes {
  return cutter(bytes.length, (from, to) => bytes.subarray(from, to));
}

/** Reads copies: a value that is kept then does not keep the whole buffer in memory. */
export function createReadCopies({ bytes = NONE }: Parcel): ReadBytes {
  return cutter(bytes.length, (from, to) => bytes.slice(from, to));
}

function cutter(total: number, cut: (from: number, to: number) => Uint8Array): ReadBytes {
  let from = 0;
  return (length) => {
    from += length;
    if (from > total) throw new Error("bytes are missing from a message on the port");
    return cut(from - length, from);
  };
}

const NONE = new Uint8Array();
