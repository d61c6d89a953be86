// Encodes user ids as bytes, so that SQLite sorts them as JavaScript sorts strings: by UTF-16 code unit, high byte first.
// SQLite would sort text by code point, and characters beyond the basic plane would come last.

export function sortKey(userId: string): Uint8Array {
  const key = new Uint8Array(2 * userId.length);
  for (let at = 0; at < userId.length; at += 1) {
    const unit = userId.charCodeAt(at);
    key[2 * at] = unit >> 8;
    key[2 * at + 1] = unit & 0xff;
  }
  return key;
}

/** The sort key of the first string after `userId`. */
export function keyAfter(userId: string): Uint8Array {
  return sortKey(`${userId}\u0000`);
}
