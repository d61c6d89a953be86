// User ids as bytes that sort as JavaScript sorts strings: two bytes for each UTF-16 unit, the high one first.

/** How many bytes of a key an index holds: an even number, so that no unit is parted. */
const HEAD_BYTES = 1_024;

/** A key in two parts. */
export interface SortKey {
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** The key of a user id. */
export function sortKeyOf(userId: string): SortKey {
  const key = Buffer.from(userId, "utf16le").swap16();
  return { head: key.subarray(0, HEAD_BYTES), tail: key.subarray(HEAD_BYTES) };
}

/** The user id of a whole key. */
export function userOfKey(key: Buffer): string {
  return Buffer.from(key).swap16().toString("utf16le");
}
