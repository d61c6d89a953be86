// Reads the counters of all sources, in one statement, so that all counters are of the same moment.

import { type SourceCounts, sourceId } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readRows, readText, type Row } from "../rows/read-row.js";

const COUNTS = `
  select source, accepted, filtered, waiting, claimed, delivered, dead, received, refused, duplicates, suppressed, shed
  from tally order by source`;

export function prepareCounts(database: SqliteDatabase): () => readonly SourceCounts[] {
  const counts = database.prepare(COUNTS);
  return () => readRows(counts.all()).map(readCounts);
}

function readCounts(row: Row): SourceCounts {
  return {
    source: sourceId(readText(row, "source")),
    accepted: readNumber(row, "accepted"),
    filtered: readNumber(row, "filtered"),
    waiting: readNumber(row, "waiting"),
    claimed: readNumber(row, "claimed"),
    delivered: readNumber(row, "delivered"),
    dead: readNumber(row, "dead"),
    received: readNumber(row, "received"),
    refused: readNumber(row, "refused"),
    duplicates: readNumber(row, "duplicates"),
    suppressed: readNumber(row, "suppressed"),
    shed: readNumber(row, "shed"),
  };
}
