// Remembers which (source, messageId) came in, for 24 hours by the time that commits bring along, and at most so many,
// the oldest out first (decision: dedupe). What is too old goes in small slices, a few ids for each that comes.

import { DEDUPE_WINDOW_MS, type EpochMs, type NewMessage } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { readNumber, readOnly, readRow } from "../read-row.js";
import { toText } from "../text.js";

export interface Dedupe {
  /** What a message is; unless it is a duplicate, it is from now on remembered as seen now. */
  remember(message: NewMessage, now: EpochMs): Seen;
  /** Forgets some of what is too old, or too much, after so many were new. */
  forget(added: number, now: EpochMs): void;
}

/** `renewed`: the id was still there, but too old to count. */
export type Seen = "new" | "renewed" | "duplicate";

/** Ids forgotten for each one added: more than one, so that what has piled up goes in time. */
const FORGET_EACH = 2;
/** And a few more, so that a lone call does its share. */
const FORGET_MORE = 16;

const FORGET = `
  delete from seen where (message_id, source) in (
    select message_id, source from seen where seen_at <= ? order by seen_at limit ?)`;

export function prepareDedupe(database: SqliteDatabase, maxMessageIds: number): Dedupe {
  const look = database.prepare("select seen_at from seen where message_id = ? and source = ?");
  const add = database.prepare("insert into seen (message_id, source, seen_at) values (?, ?, ?)");
  const renew = database.prepare("update seen set seen_at = ? where message_id = ? and source = ?");
  const forget = database.prepare(FORGET);
  const total = database.prepare("update seen_total set n = n + ? returning n");

  return {
    remember: ({ source, messageId }, now): Seen => {
      const key = [toText(messageId), toText(source)] as const;
      const known = readRow(look.get(...key));
      if (known === undefined) {
        add.run(...key, now);
        return "new";
      }
      if (readNumber(known, "seen_at") > now - DEDUPE_WINDOW_MS) return "duplicate";
      renew.run(now, ...key);
      return "renewed";
    },
    forget: (added, now): void => {
      const slice = added * FORGET_EACH + FORGET_MORE;
      const expired = Number(forget.run(now - DEDUPE_WINDOW_MS, slice).changes);
      const left = readNumber(readOnly(total.get(added - expired)), "n");
      const excess = Math.min(left - maxMessageIds, slice);
      if (excess > 0) total.get(-Number(forget.run(Number.MAX_SAFE_INTEGER, excess).changes));
    },
  };
}
