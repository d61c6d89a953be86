// The checksum of an audience's record. It covers the key, so that a record in the row of another audience is detected.
// The old checksum, of schema version 3 and of the first files of version 4, covers only the text: it is accepted only
// for a record that names the key of its row.

import { textsSum } from "../rows/checksum.js";
import { toText } from "../rows/text.js";

/** A record as it is stored. */
export interface StoredRecord {
  /** In its stored form; see `toText`. */
  readonly key: string;
  readonly text: string;
  readonly checksum: number;
}

export function recordSum(key: string, text: string): number {
  return textsSum([key, text]);
}

/** Whether `checksum` is a correct old checksum, and the record names the key of its row. */
export function hasOldSum({ key, text, checksum }: StoredRecord): boolean {
  if (checksum !== textsSum([text])) return false;
  // The sum is right, so the text is that of a record.
  const record = JSON.parse(text) as { readonly key: string };
  return toText(record.key) === key;
}
