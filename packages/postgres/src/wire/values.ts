// The values of a query: lists as arrays in PostgreSQL's binary format, each one value, which is the cheapest way for many rows; limits
// and places of values. The numbers of the types are those of pg_type, which never change.

import { encodeAnyText } from "./text.js";

const INT8 = 20;

const INT2 = 21;

const INT4 = 23;

const BYTEA = 17;

const UUID = 2950;

const HEAD_BYTES = 20;

const EMPTY_BYTES = 12;

const HIGH = 0x1_0000_0000;

/** An `int8[]` of safe integers; null stays null. */
export function int8Array(numbers: readonly (number | null)[]): Buffer {
  return write(INT8, numbers, 8, (view, number, at) => {
    view.setInt32(at, Math.floor(number / HIGH));
    view.setUint32(at + 4, number % HIGH);
  });
}

/** An `int4[]`. */
export function int4Array(numbers: readonly (number | null)[]): Buffer {
  return write(INT4, numbers, 4, (view, number, at) => {
    view.setInt32(at, number);
  });
}

/** An `int2[]`. */
export function int2Array(numbers: readonly (number | null)[]): Buffer {
  return write(INT2, numbers, 2, (view, number, at) => {
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

type Put = (view: DataView, number: number, at: number) => void;

function write(type: number, numbers: readonly (number | null)[], width: number, put: Put): Buffer {
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
  const size = sizes.reduce((sum, one) => sum + 4 + Math.max(0, one), 0);
  const { bytes, view } = withHead(type, items, size);
  let at = HEAD_BYTES;
  for (const [index, item] of items.entries()) {
    const own = sizes[index] ?? 0;
    view.setInt32(at, own);
    at += 4;
    if (item === null) continue;
    put(bytes, item, at);
    at += own;
  }
  return bytes.subarray(0, items.length === 0 ? EMPTY_BYTES : at);
}

/** Dimensions, whether there are nulls, the type; then length and first subscript of the only dimension. Items come after that. */
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

/** Room for one more, by which a page sees that there is a next one. */
const MAX_LIMIT = 2_147_483_646;

/** The limit, or the largest that the database takes. */
export function toLimit(limit: number): number {
  return Math.min(limit, MAX_LIMIT);
}

/** `$1, $2` and so on, as many as there are values. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${String(index + 1)}`).join(", ");
}
