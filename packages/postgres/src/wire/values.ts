// The values of a query: lists as arrays in PostgreSQL's binary format, each one value, which is the cheapest way for many rows; limits;
// and placeholders. The numbers of the types are those of pg_type, which never change.

import { encodeAnyText } from "./text.js";

const INT8 = 20;

const INT2 = 21;

const INT4 = 23;

const BYTEA = 17;

const VARBIT = 1562;

const UUID = 2950;

/** The length of the head of an array with one dimension. */
const HEAD_BYTES = 20;

/** The length of the head of an array with two dimensions. */
const ROWS_HEAD_BYTES = 28;

/** The length of an empty array, which has no dimension. */
const EMPTY_BYTES = 12;

/** The factor of the high half of an `int8`. */
const HIGH = 0x1_0000_0000;

/** An `int8[]` of safe integers; null stays null. */
export function int8Array(numbers: readonly (number | null)[]): Buffer {
  return writeNumbers(INT8, numbers, 8, (view, number, at) => {
    view.setInt32(at, Math.floor(number / HIGH));
    view.setUint32(at + 4, number % HIGH);
  });
}

/** An `int8[]` of two dimensions: rows of safe integers, all of the same length. */
export function int8Rows(rows: readonly (readonly number[])[]): Buffer {
  const flat = int8Array(rows.flat());
  if (rows.length === 0) return flat;
  const head = Buffer.alloc(ROWS_HEAD_BYTES);
  for (const [index, number] of [2, 0, INT8, rows.length, 1, rows[0]?.length ?? 0, 1].entries())
    head.writeInt32BE(number, 4 * index);
  return Buffer.concat([head, flat.subarray(HEAD_BYTES)]);
}

/** An `int4[]`. */
export function int4Array(numbers: readonly (number | null)[]): Buffer {
  return writeNumbers(INT4, numbers, 4, (view, number, at) => {
    view.setInt32(at, number);
  });
}

/** An `int2[]`. */
export function int2Array(numbers: readonly (number | null)[]): Buffer {
  return writeNumbers(INT2, numbers, 2, (view, number, at) => {
    view.setInt16(at, number);
  });
}

/** A `bytea[]`. The bytes are copied. */
export function byteaArray(items: readonly (Uint8Array | null)[]): Buffer {
  return writeItems(BYTEA, items, { sizeOf: ({ length }) => length, put: (bytes, item, at) => bytes.set(item, at) });
}

/** A `bytea[]` of the bytes of any texts, as `encodeAnyText` makes them. */
export function textArray(texts: readonly (string | null)[]): Buffer {
  const isPlain = texts.every((text) => text === null || text.isWellFormed());
  return isPlain
    ? writeItems(BYTEA, texts, {
        sizeOf: (text) => Buffer.byteLength(text),
        put: (bytes, text, at) => bytes.write(text, at),
      })
    : byteaArray(texts.map((text) => (text === null ? null : encodeAnyText(text))));
}

/** A `uuid[]` of keys, each a text of 16 characters of which each is a byte. */
export function keyArray(keys: readonly (string | null)[]): Buffer {
  return writeItems(UUID, keys, {
    sizeOf: ({ length }) => length,
    put: (bytes, key, at) => bytes.write(key, at, "latin1"),
  });
}

/** A row of bits, of which those at some indexes are set, from 0. */
export interface Bits {
  readonly length: number;
  readonly set: readonly number[];
}

/** A `varbit[]`. */
export function bitsArray(items: readonly Bits[]): Buffer {
  return writeItems(VARBIT, items, {
    sizeOf: ({ length }) => 4 + Math.ceil(length / 8),
    put: (bytes, { length, set }, at) => {
      bytes.writeInt32BE(length, at);
      bytes.fill(0, at + 4, at + 4 + Math.ceil(length / 8));
      for (const index of set)
        bytes[at + 4 + (index >> 3)] = (bytes[at + 4 + (index >> 3)] ?? 0) | (0x80 >> (index & 7));
    },
  });
}

type Put = (view: DataView, number: number, at: number) => void;

function writeNumbers(type: number, numbers: readonly (number | null)[], width: number, put: Put): Buffer {
  const { bytes, view } = withHead(type, numbers, numbers.length * (4 + width));
  let at = HEAD_BYTES;
  for (const number of numbers) {
    view.setInt32(at, number === null ? -1 : width);
    at += 4;
    if (number === null) continue;
    put(view, number, at);
    at += width;
  }
  return bytes.subarray(0, numbers.length === 0 ? EMPTY_BYTES : at);
}

interface Items<T> {
  readonly sizeOf: (item: T) => number;
  readonly put: (bytes: Buffer, item: T, at: number) => void;
}

function writeItems<T>(type: number, items: readonly (T | null)[], { sizeOf, put }: Items<T>): Buffer {
  const sizes = items.map((item) => (item === null ? -1 : sizeOf(item)));
  const size = sizes.reduce((sum, itemSize) => sum + 4 + Math.max(0, itemSize), 0);
  const { bytes, view } = withHead(type, items, size);
  let at = HEAD_BYTES;
  for (const [index, item] of items.entries()) {
    const itemSize = sizes[index] ?? 0;
    view.setInt32(at, itemSize);
    at += 4;
    if (item === null) continue;
    put(bytes, item, at);
    at += itemSize;
  }
  return bytes.subarray(0, items.length === 0 ? EMPTY_BYTES : at);
}

/** The head: the number of dimensions, 1 if there are nulls, the type; then the length and first subscript of the dimension. */
function withHead(
  type: number,
  items: readonly unknown[],
  size: number,
): { readonly bytes: Buffer; readonly view: DataView } {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const head = [items.length === 0 ? 0 : 1, items.includes(null) ? 1 : 0, type, items.length, 1];
  for (const [index, number] of head.entries()) view.setInt32(4 * index, number);
  return { bytes, view };
}

/** The largest `int4` less one: a page asks for one row more than its limit, to see if there is a next page. */
const MAX_LIMIT = 2_147_483_646;

/** The limit, or the largest that the database takes. */
export function toLimit(limit: number): number {
  return Math.min(limit, MAX_LIMIT);
}

/** `$1, $2` and so on, as many as there are values. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${String(index + 1)}`).join(", ");
}
