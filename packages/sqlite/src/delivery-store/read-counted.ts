// Reads the counted fields of a delivery. `COUNTED_COLUMNS` also has `wiped`, from which `erasure.ts` knows that a body
// was purged.

import { type DeletionId, type DestinationId, sourceId } from "@postrider/core";
import { readMaybeText, readNumber, readText, type Row } from "../rows/read-row.js";
import type { CountedFields } from "./counted.js";

/** The columns that `readCounted` reads, of `message m`. SQLite does not read the body for its length or for a null test. */
export const COUNTED_COLUMNS = "m.source, coalesce(length(m.body), 0) as size, m.deletion, m.wiped";

export function readCounted(row: Row, lane: DestinationId): CountedFields {
  const deletion = readMaybeText(row, "deletion") as DeletionId | undefined;
  return { source: sourceId(readText(row, "source")), lane, size: readNumber(row, "size"), deletion };
}
