// Writes a value flat: all texts joined to one, all numbers in one array, and byte arrays one after the other. Each `write…` has a `read…`
// or `take…`, which are called in the same order, and throw if a parcel is shorter or longer than the value, so that no store keeps a part
// of a body.

import { KEPT_SCRATCH_NUMBERS, OWN_BUFFER_BYTES } from "./limits.js";
import type { Parcel } from "./channel.js";

/** The parts that were written so far. */
export interface FlatWriter {
  /** Has room for more numbers than were written. The first one is the count of all, itself included; it is written at the end. */
  numbers: Float64Array;
  count: number;
  text: string;
  /** The places of the shared texts, in the order of their first use. */
  readonly shared: Map<string, number>;
  bytes: Uint8Array[];
  byteCount: number;
  large: Uint8Array<ArrayBuffer>[];
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

/**
 * Makes a parcel of the values that `write` writes. Byte arrays are copied, so the caller may use them afterwards. There is one writer,
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

/** The parts that were received, and the positions up to which they were read. */
export interface FlatReader {
  /** The parcel as numbers. The first is their count, itself included; what follows them is bytes. */
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

const NONE = new Uint8Array();

/** The value that `read` reads from a parcel. Throws if `read` leaves something unread. */
export function unpackFlat<T>(parcel: Parcel, read: (from: FlatReader) => T): T {
  const from = createReader(parcel);
  const value = read(from);
  const isRead =
    from.numberAt === from.numberCount &&
    from.textAt === from.text.length &&
    from.byteAt === from.bytes.length &&
    from.largeAt === from.large.length;
  if (!isRead) throw damagedError();
  return value;
}

function createReader({ text, bytes = NONE, large = [] }: Parcel): FlatReader {
  const room = Math.floor(bytes.length / Float64Array.BYTES_PER_ELEMENT);
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, room);
  const [numberCount = 0] = numbers;
  if (!(Number.isInteger(numberCount) && numberCount >= 1 && numberCount <= room)) throw damagedError();
  const byteAt = numberCount * Float64Array.BYTES_PER_ELEMENT;
  return { numbers, numberCount, numberAt: 1, text, textAt: 0, shared: [], bytes, byteAt, large, largeAt: 0 };
}

export function takeNumber(from: FlatReader): number {
  const value = from.numbers[from.numberAt];
  if (value === undefined || from.numberAt >= from.numberCount) throw damagedError();
  from.numberAt += 1;
  return value;
}

/** A length from 0 to `most`. */
function readLength(from: FlatReader, most: number): number {
  const length = takeNumber(from);
  if (!(length >= 0 && length <= most)) throw damagedError();
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
  const sharedText = from.shared[place];
  if (sharedText !== undefined) return sharedText;
  if (place !== from.shared.length) throw damagedError();
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
    const bytes = from.large[from.largeAt];
    if (bytes?.length !== length) throw damagedError();
    from.largeAt += 1;
    return bytes;
  }
  if (!(length >= 0 && length <= from.bytes.length - from.byteAt)) throw damagedError();
  return viewBytes(from, length).slice();
}

function viewBytes(from: FlatReader, length: number): Uint8Array {
  from.byteAt += length;
  return from.bytes.subarray(from.byteAt - length, from.byteAt);
}

export function readList<T>(from: FlatReader, read: (from: FlatReader) => T): T[] {
  const list: T[] = [];
  for (let remaining = takeNumber(from); remaining > 0; remaining -= 1) list.push(read(from));
  return list;
}

/** The error for a parcel that is not as it was sent. */
export function damagedError(): Error {
  return new Error("a message on the port is incomplete or damaged");
}

/** The names of the fields of `T`; of all its members if it is a union. */
type FieldOf<T> = T extends unknown ? keyof T : never;

/**
 * `T` if `Names` are all its fields, otherwise `never`. A parameter of this type compiles only as long as its function names all
 * fields that there are in core.
 */
export type AllFields<T, Names extends FieldOf<T>> = [FieldOf<T>] extends [Names] ? T : never;

/** `T` while it is being made: its optional fields are set if they are present. */
export type Unfinished<T> = { -readonly [Name in keyof T]: T[Name] };
