// Lists as arrays in PostgreSQL's binary format, each one value of a query: the cheapest way for many rows. The numbers of the types
// are those of pg_type, which never change.

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
  return write(INT8, numbers, 8, (bytes, number, at) => {
    bytes.writeInt32BE(Math.floor(number / HIGH), at);
    bytes.writeUInt32BE(((number % HIGH) + HIGH) % HIGH, at + 4);
  });
}

/** An `int4[]`. */
export function int4Array(numbers: readonly (number | null)[]): Buffer {
  return write(INT4, numbers, 4, (bytes, number, at) => bytes.writeInt32BE(number, at));
}

/** An `int2[]`. */
export function int2Array(numbers: readonly (number | null)[]): Buffer {
  return write(INT2, numbers, 2, (bytes, number, at) => bytes.writeInt16BE(number, at));
}

/** A `bytea[]`. The bytes are copied. */
export function byteaArray(items: readonly (Uint8Array | null)[]): Buffer {
  return writeBytes(BYTEA, items);
}

/** A `uuid[]` of 16 bytes each. */
export function uuidArray(items: readonly (Uint8Array | null)[]): Buffer {
  return writeBytes(UUID, items);
}

type Put = (bytes: Buffer, number: number, at: number) => void;

function write(type: number, numbers: readonly (number | null)[], width: number, put: Put): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + numbers.length * (4 + width));
  let at = writeHead(bytes, type, numbers);
  for (const number of numbers) {
    bytes.writeInt32BE(number === null ? -1 : width, at);
    at += 4;
    if (number === null) continue;
    put(bytes, number, at);
    at += width;
  }
  return bytes.subarray(0, numbers.length === 0 ? EMPTY_BYTES : at);
}

function writeBytes(type: number, items: readonly (Uint8Array | null)[]): Buffer {
  const size = items.reduce((sum, item) => sum + 4 + (item?.length ?? 0), HEAD_BYTES);
  const bytes = Buffer.allocUnsafe(size);
  let at = writeHead(bytes, type, items);
  for (const item of items) {
    bytes.writeInt32BE(item === null ? -1 : item.length, at);
    at += 4;
    if (item === null) continue;
    bytes.set(item, at);
    at += item.length;
  }
  return bytes.subarray(0, items.length === 0 ? EMPTY_BYTES : at);
}

/** Dimensions, whether there are nulls, the type; then length and first subscript of the only dimension. */
function writeHead(bytes: Buffer, type: number, items: readonly unknown[]): number {
  bytes.writeInt32BE(items.length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(items.includes(null) ? 1 : 0, 4);
  bytes.writeInt32BE(type, 8);
  bytes.writeInt32BE(items.length, 12);
  bytes.writeInt32BE(1, 16);
  return HEAD_BYTES;
}
