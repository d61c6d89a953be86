// Decides whether a delivery must not be sent any more: its body has been purged, or a request whose purge is not done covers it
// (decision: purging). Each transaction reads the open requests once; their user ids are cached, since there may be thousands.

import {
  type EpochMs,
  effectsOf,
  isAudienceSource,
  type Regulation,
  type SourceId,
  sourceId,
  createStoreError,
} from "@postrider/core";
import type { SqliteDatabase, SqliteStatement } from "../file/database.js";
import {
  readMaybeNumber,
  readNumber,
  readSingleRow,
  readRows,
  type Row,
  readMaybeText,
  readRow,
  readText,
  toText,
} from "../rows/rows.js";
import { stateCode } from "./codes.js";

/** Decides for one transaction which deliveries must not be sent any more. */
export interface Erasure {
  /** True if a delivery must no longer be sent. `row` has the column `wiped` of the delivery's message. */
  mustForget(delivery: number, message: number, row: Row): boolean;
  /** True if a request whose purge is not done covers the delivery. */
  isCovered(delivery: number, message: number): boolean;
}

/** Selects the requests whose purge is not done. Exported for the test of its query plan. */
export const SELECT_UNPURGED = "select row from deletion where is_purged = 0 order by row";

export function prepareErasure(database: SqliteDatabase): () => Erasure {
  const unpurged = database.prepare(SELECT_UNPURGED);
  const selectUsers = database.prepare(`select ${MESSAGE_USERS_COLUMNS} from message m where m.id = ?`);
  const readRequest = prepareReadErasureRequest(database);
  let requests: ReadonlyMap<number, ErasureRequest> = new Map();

  /** The requests whose purge is not done. */
  function readUnpurged(): readonly ErasureRequest[] {
    const rows = readRows(unpurged.all()).map((row) => readNumber(row, "row"));
    if (rows.length === 0 && requests.size === 0) return [];
    requests = new Map(rows.flatMap((row) => entryOf(row, requests.get(row) ?? readRequest(row))));
    return [...requests.values()];
  }

  return () => openErasure(readUnpurged, selectUsers);
}

function entryOf(row: number, request: ErasureRequest | undefined): readonly (readonly [number, ErasureRequest])[] {
  return request === undefined ? [] : [[row, request]];
}

function openErasure(readUnpurged: () => readonly ErasureRequest[], selectUsers: SqliteStatement): Erasure {
  let requests: readonly ErasureRequest[] | undefined;

  function isCovered(delivery: number, message: number): boolean {
    requests ??= readUnpurged();
    if (requests.every(({ upTo }) => delivery > upTo)) return false;
    const users = readMessageUsers(readSingleRow(selectUsers.get(message)));
    return requests.some((request) => covers(request, delivery, users));
  }

  return {
    isCovered,
    mustForget: (delivery, message, row) => readMaybeNumber(row, "wiped") !== undefined || isCovered(delivery, message),
  };
}

const MARK_PURGED = `
  update delivery set state = ${String(stateCode("dead"))}, reason = 'purged', finished_at = ?, due_at = null, token = null
  where id = ?`;

export function prepareMarkPurged(database: SqliteDatabase): (delivery: number, now: EpochMs) => void {
  const markPurged = database.prepare(MARK_PURGED);
  return (delivery, now) => {
    markPurged.run(now, delivery);
  };
}

export interface ErasureRequest {
  readonly userIds: ReadonlySet<string>;
  /** The sources whose data is removed; null means all. */
  readonly sources: ReadonlySet<string> | null;
  /** The id of the last delivery that the request can cover. */
  readonly upTo: number;
}

/** The source and the users of a message, which decide whether a request covers it. */
interface MessageUsers {
  readonly source: SourceId;
  readonly userIds: readonly string[];
}

/** The columns that `readMessageUsers` reads, of `message m`. */
export const MESSAGE_USERS_COLUMNS = "m.source, m.user_id, m.previous_id";

export function readMessageUsers(row: Row): MessageUsers {
  const userIds = [readMaybeText(row, "user_id"), readMaybeText(row, "previous_id")];
  return { source: sourceId(readText(row, "source")), userIds: userIds.filter((id) => id !== undefined) };
}

/** True if a request covers this delivery. A notice has no user ids, so no request covers it. */
export function covers({ userIds, sources, upTo }: ErasureRequest, delivery: number, message: MessageUsers): boolean {
  if (delivery > upTo || !message.userIds.some((userId) => userIds.has(userId))) return false;
  return sources === null || isAudienceSource(message.source) || sources.has(message.source);
}

const SELECT_REQUEST = `
  select d.regulation, d.sources, d.last_delivery, u.user_ids
  from deletion d join deletion_users u on u.deletion = d.row where d.row = ?`;

/** Reads a request by its row; undefined once its user ids are removed. */
export function prepareReadErasureRequest(database: SqliteDatabase): (deletion: number) => ErasureRequest | undefined {
  const request = database.prepare(SELECT_REQUEST);
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

/** Null, for all sources, without `sources` or if the users are suppressed: `sources` then only choose the notices. */
function readPurgedSources(row: Row): ErasureRequest["sources"] {
  const sources = readMaybeText(row, "sources");
  const regulation = readText(row, "regulation") as Regulation;
  return sources === undefined || effectsOf(regulation).suppression === "begins" ? null : new Set(readIds(sources));
}

/** The text of a list of ids for a column. To read the list, use `readText`, then `readIds`. */
export function writeIds(ids: readonly string[]): string {
  return toText(JSON.stringify(ids));
}

/** Parses a column that was read with `readText`. */
export function readIds(json: string): readonly string[] {
  const ids = parseJson(json);
  if (Array.isArray(ids) && ids.every((id) => typeof id === "string")) return ids;
  throw createStoreError("corrupt", "SQLite: a list of ids is not what was stored");
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
