// Reads which users, sources and deliveries a request covers. They never change, except that the user ids are removed
// when the request is finished.

import { effectsOf, isAudienceSource, type Regulation, type SourceId, sourceId } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import { readMaybeText, readNumber, readRow, readText, type Row } from "../../rows/read-row.js";
import { readIds } from "./id-list.js";

export interface ErasureRequest {
  readonly userIds: ReadonlySet<string>;
  /** The sources whose data is removed; null means all. */
  readonly sources: ReadonlySet<string> | null;
  /** The id of the last delivery that the request can cover. */
  readonly upTo: number;
}

/** The source and the users of a message, which decide whether a request covers it. */
export interface MessageUsers {
  readonly source: SourceId;
  readonly userIds: readonly string[];
}

/** The columns that `readMessageUsers` reads, of `message m`. */
export const MESSAGE_USERS_COLUMNS = "m.source, m.user_id, m.previous_id";

export function readMessageUsers(row: Row): MessageUsers {
  const userIds = [readMaybeText(row, "user_id"), readMaybeText(row, "previous_id")];
  return { source: sourceId(readText(row, "source")), userIds: userIds.filter((id) => id !== undefined) };
}

/** Whether a request covers this delivery. A notice has no user ids, so no request covers it. */
export function covers({ userIds, sources, upTo }: ErasureRequest, delivery: number, about: MessageUsers): boolean {
  if (delivery > upTo || !about.userIds.some((userId) => userIds.has(userId))) return false;
  return sources === null || isAudienceSource(about.source) || sources.has(about.source);
}

const REQUEST = `
  select d.regulation, d.sources, d.last_delivery, u.user_ids
  from deletion d join deletion_users u on u.deletion = d.row where d.row = ?`;

/** Reads a request by its row; undefined once its user ids are removed. */
export function prepareReadErasureRequest(database: SqliteDatabase): (deletion: number) => ErasureRequest | undefined {
  const request = database.prepare(REQUEST);
  return (deletion) => {
    const row = readRow(request.get(deletion));
    const userIds = row === undefined ? undefined : readMaybeText(row, "user_ids");
    if (row === undefined || userIds === undefined) return undefined;
    return {
      userIds: new Set(readIds(userIds)),
      sources: readPurgedSources(row),
      upTo: readNumber(row, "last_delivery"),
    };
  };
}

/** A request that suppresses its users covers their data of all sources. Its `sources` then only choose the notices. */
function readPurgedSources(row: Row): ErasureRequest["sources"] {
  const sources = readMaybeText(row, "sources");
  const regulation = readText(row, "regulation") as Regulation;
  return sources === undefined || effectsOf(regulation).suppression === "begins" ? null : new Set(readIds(sources));
}
