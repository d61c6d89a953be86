// Reads a delivery as far as the books care, and what says whether it may be handed out.

import type { DeletionId, DestinationId, SourceId } from "@postrider/core";
import { readMaybeText, readNumber, readText, type Row } from "../rows/read-row.js";
import type { Counted } from "./counted.js";

/** What `readUnit` reads, of `message m`. Neither a length nor a null makes SQLite read the body. */
export const COUNTED = "m.source, coalesce(length(m.body), 0) as size, m.deletion, m.wiped";

export function readCounted(row: Row, lane: DestinationId): Counted {
  const deletion = readMaybeText(row, "deletion") as DeletionId | undefined;
  return { source: readText(row, "source") as SourceId, lane, size: readNumber(row, "size"), deletion };
}
