// Counts the deliveries of the notices of each request, and how many users have been notified. These counts outlive the
// deliveries.

import {
  type DeletionId,
  type DeliveryState,
  type NoticeCounts,
  type NoticeProgress,
  type SourceId,
  sourceId,
} from "@postrider/core";
import type { SqliteDatabase, SqliteStatement } from "../../file/database.js";
import { readNumber, readRows, readText, type Row } from "../../rows/read-row.js";
import { toText } from "../../rows/text.js";
import type { CountedFields } from "../counted.js";

/** The changes that one transaction makes to the counts of notices. */
export interface NoticeDeltas {
  add(counted: CountedFields, state: DeliveryState): void;
  move(counted: CountedFields, to: DeliveryState): void;
  write(): void;
}

const COUNT = `
  insert into notice (deletion, source, stored, delivered, dead) values (?, ?, ?, ?, ?)
  on conflict (deletion, source) do update set
    stored = stored + excluded.stored, delivered = delivered + excluded.delivered, dead = dead + excluded.dead`;

export function prepareNoticeDeltas(database: SqliteDatabase): () => NoticeDeltas {
  const count = database.prepare(COUNT);
  return () => openNoticeDeltas(count);
}

interface Sums {
  readonly deletion: DeletionId;
  readonly source: SourceId;
  stored: number;
  delivered: number;
  dead: number;
}

function openNoticeDeltas(statement: SqliteStatement): NoticeDeltas {
  const all: Sums[] = [];

  function count({ deletion, source }: CountedFields, state: DeliveryState | "stored"): void {
    if (deletion === undefined || state === "waiting" || state === "claimed") return;
    const known = all.find((sums) => sums.deletion === deletion && sums.source === source);
    const sums = known ?? { deletion, source, stored: 0, delivered: 0, dead: 0 };
    if (known === undefined) all.push(sums);
    sums[state] += 1;
  }

  return {
    add: (counted, state): void => {
      count(counted, "stored");
      count(counted, state);
    },
    move: count,
    write: (): void => {
      for (const { deletion, source, stored, delivered, dead } of all)
        statement.run(toText(deletion), toText(source), stored, delivered, dead);
    },
  };
}

export function prepareReadNotices(database: SqliteDatabase): (deletion: DeletionId) => readonly NoticeCounts[] {
  const read = database.prepare(
    "select source, stored, delivered, dead from notice where deletion = ? order by source",
  );
  return (deletion) => readRows(read.all(toText(deletion))).map(readCounts);
}

function readCounts(row: Row): NoticeCounts {
  return {
    source: sourceId(readText(row, "source")),
    stored: readNumber(row, "stored"),
    delivered: readNumber(row, "delivered"),
    dead: readNumber(row, "dead"),
  };
}

/**
 * Stores how many users have been notified. The number never decreases, since a second process may report an older
 * number.
 */
export function prepareNoteNotified(database: SqliteDatabase): (notified: NoticeProgress) => void {
  const note = database.prepare("update deletion set notified = max(notified, min(?, users)) where id = ?");
  return ({ deletion, users }) => {
    note.run(users, toText(deletion));
  };
}
