// Replays a finished delivery: stores a new delivery of the same message that points at the old one.

import { type DeletionId, type DeliveryId, destinationId, type EpochMs, type Replay, sourceId } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readMaybeText, readNumber, readRow, readText } from "../rows/read-row.js";
import { rowOf } from "./codes.js";
import { BODY_COLUMNS, readBody, readContentSum } from "./read-body.js";
import type { Erasure } from "./deletions/erasure.js";
import type { NewDeliveries } from "./add-delivery.js";
import type { DedupeCommit } from "./dedupe/dedupe.js";

export interface ReplayParts {
  readonly erasure: Erasure;
  readonly newDeliveries: NewDeliveries;
  readonly dedupe: DedupeCommit;
}

export type ReplayDelivery = (replay: Replay, replaying: ReplayParts, now: EpochMs) => DeliveryId | undefined;

const OLD = `
  select d.message, d.lane, m.deletion, ${BODY_COLUMNS} from delivery d left join message m on m.id = d.message
  where d.id = ? and d.finished_at is not null`;

export function prepareReplay(database: SqliteDatabase): ReplayDelivery {
  const find = database.prepare(OLD);
  const mark = database.prepare("update delivery set replayed = 1 where id = ? and replayed = 0");

  return ({ of, start }, { erasure, newDeliveries, dedupe }, now) => {
    const row = rowOf(of);
    const old = row === undefined ? undefined : readRow(find.get(row));
    if (row === undefined || old === undefined) return undefined;
    const messageRow = readNumber(old, "message");
    if (erasure.isErased(row, messageRow, old)) return undefined;
    mark.run(row);
    const lane = destinationId(readText(old, "lane"));
    // `readBody` checks the old checksum: a new checksum over broken bytes would hide the damage.
    const body = readBody(old, lane);
    const deletion = readMaybeText(old, "deletion") as DeletionId | undefined;
    const counted = { source: sourceId(readText(old, "source")), lane, size: body.length, deletion };
    const message = { row: messageRow, content: readContentSum(old, body) };
    const after = newDeliveries.last();
    const id = newDeliveries.add({ counted, message, acceptedAt: now, replayOf: row, start }, now);
    dedupe.indexOnly({ source: counted.source, messageId: readText(old, "message_id") }, { after, upTo: after + 1 });
    return id;
  };
}
