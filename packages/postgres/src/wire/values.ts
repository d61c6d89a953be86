// The values of a query: lists as arrays in PostgreSQL's binary format, each one value, which is the cheapest way for many rows; limits;
// and placeholders. The numbers of the types are those of pg_type, which never change.

import { encodeAnyText } from "./text.js";

const INT8 = 20;

const INT2 = 21;

const INT4 = 23;

const BYTEA = 17;

const VARBIT = 1562;

const UUID = 2950;

/** The length of an `int8` in an array, with that of its length. */
const INT8_ITEM_BYTES = 12;

/** The factor of the high half of an `int8`. */
const HIGH = 0x1_0000_0000;

/** An `int8[]` of safe integers; null stays null. */
export function int8Array(numbers: readonly (number | null)[]): Buffer {
  return writeNumbers(INT8, numbers, 8, (view, number, at) => {
    view.setInt32(at, Math.floor(number / HIGH));
    view.setUint32(at + 4, number % HIGH);
  });
}

/** An `int8[]` of two dimensions: rows of safe integers, one after the other, each of `width` numbers. */
export function int8Rows(width: number, numbers: readonly number[]): Buffer {
  const dimensions = numbers.length === 0 ? [] : [numbers.length / width, width];
  const { bytes, view, start } = withHead(INT8, dimensions, false, numbers.length * INT8_ITEM_BYTES);
  let at = start;
  for (const number of numbers) {
    view.setInt32(at, 8);
    view.setInt32(at + 4, Math.floor(number / HIGH));
    view.setUint32(at + 8, number % HIGH);
    at += INT8_ITEM_BYTES;
  }
  return bytes;
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
  const { bytes, view, start } = withHead(
    type,
    dimensionOf(numbers),
    numbers.includes(null),
    numbers.length * (4 + width),
  );
  let at = start;
  for (const number of numbers) {
    view.setInt32(at, number === null ? -1 : width);
    at += 4;
    if (number === null) continue;
    put(view, number, at);
    at += width;
  }
  return bytes.subarray(0, at);
}

interface Items<T> {
  readonly sizeOf: (item: T) => number;
  readonly put: (bytes: Buffer, item: T, at: number) => void;
}

function writeItems<T>(type: number, items: readonly (T | null)[], { sizeOf, put }: Items<T>): Buffer {
  const sizes = items.map((item) => (item === null ? -1 : sizeOf(item)));
  const size = sizes.reduce((sum, itemSize) => sum + 4 + Math.max(0, itemSize), 0);
  const { bytes, view, start } = withHead(type, dimensionOf(items), items.includes(null), size);
  let at = start;
  for (const [index, item] of items.entries()) {
    const itemSize = sizes[index] ?? 0;
    view.setInt32(at, itemSize);
    at += 4;
    if (item === null) continue;
    put(bytes, item, at);
    at += itemSize;
  }
  return bytes;
}

function dimensionOf(items: readonly unknown[]): readonly number[] {
  return items.length === 0 ? [] : [items.length];
}

/** The head: the number of dimensions, 1 if there are nulls, the type; then the length and first subscript of each dimension. */
function withHead(
  type: number,
  dimensions: readonly number[],
  hasNulls: boolean,
  size: number,
): { readonly bytes: Buffer; readonly view: DataView; readonly start: number } {
  const head = [dimensions.length, hasNulls ? 1 : 0, type, ...dimensions.flatMap((length) => [length, 1])];
  const start = 4 * head.length;
  const bytes = Buffer.allocUnsafe(start + size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const [index, number] of head.entries()) view.setInt32(4 * index, number);
  return { bytes, view, start };
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
