// What crosses the channel with each request and response: one text, and buffers, which are transferred without a copy. A
// packing says how a value becomes both: as JSON, or flat, as texts and numbers one after the other (decision: flat parcels).

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
