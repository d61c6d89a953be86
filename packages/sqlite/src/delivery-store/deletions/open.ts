// Stores a request, which takes effect at once: its users become suppressed, or are no longer suppressed. If it purges, the
// deliveries that were stored before it and that it covers are no longer sent (decision: purging).

import { effectsOf, type EpochMs, type NewDeletion } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import { readNumber, readSingleRow } from "../../rows/read-row.js";
import { toText } from "../../rows/text.js";
import { SELECT_LAST_ID } from "../codes.js";
import { writeIds } from "./id-list.js";

export type Open = (deletion: NewDeletion, now: EpochMs) => void;

const INSERT = `
  insert into deletion (id, regulation, sources, requested_at, users, last_delivery, is_purged)
  values (?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`;

export function prepareOpen(database: SqliteDatabase): Open {
  const lastDelivery = database.prepare(SELECT_LAST_ID);
  const insert = database.prepare(INSERT);
  const name = database.prepare("insert into deletion_users (deletion, user_ids) values (?, ?)");
  const suppression = {
    begins: database.prepare("insert into suppressed (user_id) values (?) on conflict (user_id) do nothing"),
    ends: database.prepare("delete from suppressed where user_id = ?"),
  };

  return ({ id, regulation, sources, ...deletion }, now) => {
    const effects = effectsOf(regulation);
    const userIds = [...new Set(deletion.userIds)];
    const upTo = readNumber(readSingleRow(lastDelivery.get()), "row");
    const named = sources === null ? null : writeIds(sources);
    const isPurged = effects.purges ? 0 : 1;
    const kept = insert.run(toText(id), regulation, named, now, userIds.length, upTo, isPurged);
    if (Number(kept.changes) === 0) return;
    name.run(Number(kept.lastInsertRowid), writeIds(userIds));
    if (effects.suppression === null) return;
    const change = suppression[effects.suppression];
    for (const userId of userIds) change.run(toText(userId));
  };
}
