// Whom a request names, and which sources it is about: neither changes while it is carried out.

import { effectsOf, isAudienceSource, type Regulation, type SourceId } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import { readMaybeText, readNumber, readRow, readText, type Row } from "../../rows/read-row.js";
import { readIds } from "./id-list.js";

export interface ErasureRequest {
  readonly userIds: ReadonlySet<string>;
  /** Whose data goes; null: that of all. */
  readonly sources: ReadonlySet<string> | null;
  /** The last delivery that it is about. */
  readonly upTo: number;
}

/** A message as far as requests look at it. */
export interface MessageUsers {
  readonly source: SourceId;
  readonly userIds: readonly string[];
}

/** What `readAbout` reads, of `message m`. */
export const MESSAGE_USERS = "m.source, m.user_id, m.previous_id";

export function readMessageUsers(row: Row): MessageUsers {
  const userIds = [readMaybeText(row, "user_id"), readMaybeText(row, "previous_id")];
  return { source: readText(row, "source") as SourceId, userIds: userIds.filter((id) => id !== undefined) };
}

/** Whether a request is about this delivery of that message. Notices are about nobody, and so they stay. */
export function covers({ userIds, sources, upTo }: ErasureRequest, delivery: number, about: MessageUsers): boolean {
  if (delivery > upTo || !about.userIds.some((userId) => userIds.has(userId))) return false;
  return sources === null || isAudienceSource(about.source) || sources.has(about.source);
}

const REQUEST = `
  select d.regulation, d.sources, d.last_delivery, u.user_ids
  from deletion d join deletion_users u on u.deletion = d.row where d.row = ?`;

/** By the row of a request; undefined once its users are forgotten. */
export function prepareReadErasureRequest(database: SqliteDatabase): (deletion: number) => ErasureRequest | undefined {
  const request = database.prepare(REQUEST);
  return (deletion) => {
    const row = readRow(request.get(deletion));
    const userIds = row === undefined ? undefined : readMaybeText(row, "user_ids");
    if (row === undefined || userIds === undefined) return undefined;
    return { userIds: new Set(readIds(userIds)), sources: readPurged(row), upTo: readNumber(row, "last_delivery") };
  };
}

/** Whoever is suppressed has nothing left anywhere: then the sources say only whose receivers are told. */
function readPurged(row: Row): ErasureRequest["sources"] {
  const sources = readMaybeText(row, "sources");
  const regulation = readText(row, "regulation") as Regulation;
  return sources === undefined || effectsOf(regulation).suppression === "begins" ? null : new Set(readIds(sources));
}
