// What crosses: all but bytes as one JSON text, since copying text costs a fraction of copying objects; and the bytes one
// after the other in a buffer that is handed over, not copied again. In the text a byte array is its length. What JSON
// cannot say, who packs and unpacks has to know: a map, a list with holes.

export interface Parcel {
  readonly text: string;
  /** Absent where there are none. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** How a kind of value crosses. Both ends are this very code, so that what is unpacked is what was packed. */
export interface Packing<T> {
  pack(value: T): Parcel;
  unpack(parcel: Parcel): T;
}

/** For what JSON can say, and for `undefined` as a whole. */
export function asJson<T>(): Packing<T> {
  return {
    pack: (value) => ({ text: value === undefined ? "" : JSON.stringify(value) }),
    unpack: ({ text }) => (text === "" ? undefined : JSON.parse(text)) as T,
  };
}

/** Gathers byte arrays. They stay their owner's: each is copied, once. */
export interface BytesIn {
  /** Answers its length. */
  add(bytes: Uint8Array): number;
  /** The parcel of a text and all that was added. */
  seal(text: string): Parcel;
}

export function packBytes(): BytesIn {
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

/** Hands out the bytes of a parcel from their beginning. Throws where there are too few: no store is to keep half a body. */
export type BytesOut = (length: number) => Uint8Array;

/** As views of what came: for whoever is done with them soon. */
export function viewBytes({ bytes = NONE }: Parcel): BytesOut {
  return cutter(bytes.length, (from, to) => bytes.subarray(from, to));
}

/** As copies: one that is kept for long does not keep all the others. */
export function copyBytes({ bytes = NONE }: Parcel): BytesOut {
  return cutter(bytes.length, (from, to) => bytes.slice(from, to));
}

function cutter(total: number, cut: (from: number, to: number) => Uint8Array): BytesOut {
  let from = 0;
  return (length) => {
    from += length;
    if (from > total) throw new Error("bytes are missing from what came over the port");
    return cut(from - length, from);
  };
}

const NONE = new Uint8Array();
