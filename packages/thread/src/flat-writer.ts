// Writes a value flat: all texts joined to one, all numbers in one array, and byte arrays one after the other. Knows no type of
// core. The reader must read in the same order, by the function of the same name.

import { KEPT_SCRATCH_NUMBERS, OWN_BUFFER_BYTES } from "./limits.js";
import type { Parcel } from "./parcel.js";

/** What was written so far. */
export interface FlatWriter {
  /** Has room for more numbers than were written. The first one is their number, written at the end. */
  numbers: Float64Array;
  count: number;
  text: string;
  /** The places of the shared texts, in the order of their first use. */
  readonly shared: Map<string, number>;
  bytes: Uint8Array[];
  byteCount: number;
  large: Uint8Array<ArrayBuffer>[];
}

/**
 * Makes a parcel of what `write` writes. Byte arrays are copied, so the caller may use them afterwards. There is one writer,
 * whose memory is used again, so `write` must not pack another value.
 */
export function packFlat(write: (to: FlatWriter) => void): Parcel {
  try {
    write(WRITER);
    return seal(WRITER);
  } finally {
    clear(WRITER);
  }
}

const FIRST_NUMBERS = 1_024;

const WRITER: FlatWriter = {
  numbers: new Float64Array(FIRST_NUMBERS),
  count: 1,
  text: "",
  shared: new Map(),
  bytes: [],
  byteCount: 0,
  large: [],
};

function clear(writer: FlatWriter): void {
  if (writer.numbers.length > KEPT_SCRATCH_NUMBERS) writer.numbers = new Float64Array(FIRST_NUMBERS);
  writer.count = 1;
  writer.text = "";
  if (writer.shared.size > 0) writer.shared.clear();
  writer.bytes = [];
  writer.byteCount = 0;
  writer.large = [];
}

function seal({ numbers, count, text, bytes, byteCount, large }: FlatWriter): Parcel {
  const whole = new Uint8Array(count * Float64Array.BYTES_PER_ELEMENT + byteCount);
  numbers[0] = count;
  new Float64Array(whole.buffer, 0, count).set(numbers.subarray(0, count));
  let at = count * Float64Array.BYTES_PER_ELEMENT;
  for (const part of bytes) {
    whole.set(part, at);
    at += part.length;
  }
  return large.length === 0 ? { text, bytes: whole } : { text, bytes: whole, large };
}

/** Writes any number, -0 and NaN as well. */
export function writeNumber(to: FlatWriter, value: number): void {
  if (to.count === to.numbers.length) grow(to);
  to.numbers[to.count] = value;
  to.count += 1;
}

function grow(writer: FlatWriter): void {
  const larger = new Float64Array(writer.numbers.length * 2);
  larger.set(writer.numbers);
  writer.numbers = larger;
}

/** Writes a text of any UTF-16 units. */
export function writeText(to: FlatWriter, text: string): void {
  writeNumber(to, text.length);
  to.text += text;
}

/** Writes a text that other values of the parcel probably have too, such as a lane: the text itself once, then its place. */
export function writeShared(to: FlatWriter, text: string): void {
  const place = to.shared.get(text);
  if (place !== undefined) {
    writeNumber(to, place);
    return;
  }
  writeNumber(to, to.shared.size);
  to.shared.set(text, to.shared.size);
  writeText(to, text);
}

/** Writes a byte array that the receiver does not keep. */
export function writeBytes(to: FlatWriter, bytes: Uint8Array): void {
  writeNumber(to, bytes.length);
  to.bytes.push(bytes);
  to.byteCount += bytes.length;
}

/** Writes a byte array that the receiver keeps. A long one gets its own buffer, so that the receiver need not copy it. */
export function writeKeptBytes(to: FlatWriter, bytes: Uint8Array): void {
  if (bytes.length < OWN_BUFFER_BYTES) {
    writeBytes(to, bytes);
    return;
  }
  writeNumber(to, bytes.length);
  to.large.push(Uint8Array.from(bytes));
}

/** Writes how many items there are, and each of them. */
export function writeList<T>(to: FlatWriter, list: readonly T[], write: (to: FlatWriter, item: T) => void): void {
  writeNumber(to, list.length);
  for (const item of list) write(to, item);
}
