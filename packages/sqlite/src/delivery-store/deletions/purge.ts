// Removes what is stored of the users of a request, slice by slice. What it has looked at is kept with what it removed,
// so that whoever goes on, after a crash or beside it, goes on from there.

import type { DeletionId, DestinationId, EpochMs } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import { readNumber, readRow, readRows, readText, type Row } from "../../rows/read-row.js";
import { toText } from "../../rows/text.js";
import { readState } from "../codes.js";
import { prepareEndpoints } from "../endpoints.js";
import type { Ledger } from "../counter-deltas.js";
import { prepareMessages } from "../messages.js";
import { readUnit, UNIT } from "../read-counted.js";
import { prepareBury } from "./mark-purged.js";
import { ABOUT, isMeant, type Named, prepareNamed, readAbout } from "./erasure-request.js";

export interface PurgeSlice {
  readonly id: DeletionId;
  readonly limit: number;
}

export type Purge = (slice: PurgeSlice, ledger: Ledger, now: EpochMs) => { readonly isDone: boolean };

/** Exported for the test that looks at its plan. */
export const SLICE: string = `
  select d.id, d.message, ${ABOUT} from delivery d join message m on m.id = d.message
  where d.id > ? and d.id <= ? order by d.id limit ?`;

/** Exported for the test that looks at its plan. */
export const DELIVERIES: string = `
  select d.id, d.state, d.lane, ${UNIT} from delivery d join message m on m.id = d.message where d.message = ?`;

export function preparePurge(database: SqliteDatabase): Purge {
  const open = database.prepare("select row, looked_at from deletion where id = ? and is_purged = 0");
  const slice = database.prepare(SLICE);
  const note = database.prepare("update deletion set looked_at = ?, purged = purged + ?, is_purged = ? where row = ?");
  const readNamed = prepareNamed(database);
  const purgeMessage = preparePurgeMessage(database);

  /** Answers how many deliveries lost their body. Of a message that is purged already nobody is named any more. */
  function purgeAll(rows: readonly Row[], named: Named, transaction: Purging): number {
    const purged = new Set<number>();
    let deliveries = 0;
    for (const row of rows) {
      const message = readNumber(row, "message");
      if (purged.has(message) || !isMeant(named, readNumber(row, "id"), readAbout(row))) continue;
      purged.add(message);
      deliveries += purgeMessage(message, transaction);
    }
    return deliveries;
  }

  return ({ id, limit }, ledger, now) => {
    const deletion = readRow(open.get(toText(id)));
    if (deletion === undefined) return { isDone: true };
    const row = readNumber(deletion, "row");
    const named = readNamed(row);
    if (named === undefined) return { isDone: true };
    const rows = readRows(slice.all(readNumber(deletion, "looked_at"), named.upTo, limit));
    const isDone = rows.length < limit;
    const lookedAt = rows.at(-1);
    const deliveries = purgeAll(rows, named, { ledger, now });
    note.run(lookedAt === undefined ? named.upTo : readNumber(lookedAt, "id"), deliveries, isDone ? 1 : 0, row);
    return { isDone };
  };
}

interface Purging {
  readonly ledger: Ledger;
  readonly now: EpochMs;
}

function preparePurgeMessage(database: SqliteDatabase): (message: number, purging: Purging) => number {
  const deliveries = database.prepare(DELIVERIES);
  const messages = prepareMessages(database);
  const endpoints = prepareEndpoints(database);
  const rename = database.prepare("update delivery set reason = 'purged' where id = ?");
  const lighten = database.prepare("update delivery set size = null where id = ?");
  const bury = prepareBury(database);

  function purgeDelivery(row: Row, { ledger, now }: Purging): void {
    const id = readNumber(row, "id");
    const unit = readUnit(row, readText(row, "lane") as DestinationId);
    const state = readState(row);
    endpoints.silence(id);
    lighten.run(id);
    if (state === "dead") rename.run(id);
    if (state === "claimed") ledger.lighten(unit);
    if (state !== "waiting") return;
    bury(id, now);
    ledger.move(unit, state, "dead");
  }

  return (message, purging) => {
    const rows = readRows(deliveries.all(message));
    for (const row of rows) purgeDelivery(row, purging);
    messages.purge(message);
    return rows.length;
  };
}
