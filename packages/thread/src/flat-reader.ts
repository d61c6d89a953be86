// Reads what `flat-writer.ts` has written, in the same order. Throws if a parcel has less or more than what is read, so that no
// store keeps a part of a body. Knows no type of core.

import { OWN_BUFFER_BYTES } from "./limits.js";
import type { Parcel } from "./parcel.js";

/** What was received, and how far it was read. */
export interface FlatReader {
  /** The numbers, of which the first says how many there are, and behind them bytes. */
  readonly numbers: Float64Array;
  readonly numberCount: number;
  numberAt: number;
  readonly text: string;
  textAt: number;
  /** The shared texts that were read so far. */
  readonly shared: string[];
  readonly bytes: Uint8Array;
  byteAt: number;
  readonly large: readonly Uint8Array[];
  largeAt: number;
}

/** The value that `read` reads from a parcel. Throws if `read` leaves something unread. */
export function unpackFlat<T>(parcel: Parcel, read: (from: FlatReader) => T): T {
  const from = createReader(parcel);
  const value = read(from);
  const isRead =
    from.numberAt === from.numberCount &&
    from.textAt === from.text.length &&
    from.byteAt === from.bytes.length &&
    from.largeAt === from.large.length;
  if (!isRead) throw damaged();
  return value;
}

function createReader({ text, bytes = NONE, large = [] }: Parcel): FlatReader {
  const room = Math.floor(bytes.length / Float64Array.BYTES_PER_ELEMENT);
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, room);
  const [numberCount = 0] = numbers;
  if (!(Number.isInteger(numberCount) && numberCount >= 1 && numberCount <= room)) throw damaged();
  const byteAt = numberCount * Float64Array.BYTES_PER_ELEMENT;
  return { numbers, numberCount, numberAt: 1, text, textAt: 0, shared: [], bytes, byteAt, large, largeAt: 0 };
}

export function takeNumber(from: FlatReader): number {
  const value = from.numbers[from.numberAt];
  if (value === undefined || from.numberAt >= from.numberCount) throw damaged();
  from.numberAt += 1;
  return value;
}

/** A length from 0 to `most`. */
function readLength(from: FlatReader, most: number): number {
  const length = takeNumber(from);
  if (!(length >= 0 && length <= most)) throw damaged();
  return length;
}

/** A text. It may keep all texts of the parcel in memory, as a part of them. */
export function takeText(from: FlatReader): string {
  const at = from.textAt;
  from.textAt += readLength(from, from.text.length - at);
  return from.text.slice(at, from.textAt);
}

export function takeSharedText(from: FlatReader): string {
  const place = takeNumber(from);
  const known = from.shared[place];
  if (known !== undefined) return known;
  if (place !== from.shared.length) throw damaged();
  const text = takeText(from);
  from.shared.push(text);
  return text;
}

/** A byte array as a view of the received buffer, for a receiver that does not keep it. */
export function takeBytes(from: FlatReader): Uint8Array {
  return viewBytes(from, readLength(from, from.bytes.length - from.byteAt));
}

/** A byte array that shares its buffer with no other: a view would keep the received buffer in memory. */
export function readKeptBytes(from: FlatReader): Uint8Array {
  const length = takeNumber(from);
  if (length >= OWN_BUFFER_BYTES) {
    const own = from.large[from.largeAt];
    if (own?.length !== length) throw damaged();
    from.largeAt += 1;
    return own;
  }
  if (!(length >= 0 && length <= from.bytes.length - from.byteAt)) throw damaged();
  return viewBytes(from, length).slice();
}

function viewBytes(from: FlatReader, length: number): Uint8Array {
  from.byteAt += length;
  return from.bytes.subarray(from.byteAt - length, from.byteAt);
}

export function readList<T>(from: FlatReader, read: (from: FlatReader) => T): T[] {
  const list: T[] = [];
  for (let left = takeNumber(from); left > 0; left -= 1) list.push(read(from));
  return list;
}

/** The error for a parcel that is not as it was sent. */
export function damaged(): Error {
  return new Error("a message on the port is incomplete or damaged");
}

const NONE = new Uint8Array();
