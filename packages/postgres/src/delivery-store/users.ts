// Requests about users: opens them, purges in slices, finishes and shows them; and lists the users who are suppressed.

import {
  type DeletionId,
  type DeletionRecord,
  type DeletionStore,
  effectsOf,
  type EpochMs,
  type NewDeletion,
  deletionId,
  epochMs,
  type NoticeCounts,
  sourceId,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { int4Array, keyArray, textArray, toLimit } from "../wire/values.js";
import { hashKeyOf, hashTextOf, encodeAnyText, decodeStoredText } from "../wire/text.js";
import {
  readFlag,
  readDigits,
  readBytesText,
  readBytesArray,
  readOptionalDigits,
  readTextOrEmpty,
  type TextRow,
} from "../wire/read-row.js";
import { codeOfRegulation, regulationOfCode } from "./codes.js";
import type { Functions } from "./functions.js";

/** The deletion store of a delivery store. */
export function createPostgresDeletions(store: Functions): DeletionStore {
  const { connection, schema, bucket, timeFor } = store;

  return {
    open: (deletion, now) => open(store, deletion, now),
    purge: async ({ id, limit }, now) => {
      const [row] = await connection.work(`select ${schema}.purge($1, $2, $3, $4) as done`, [
        bucket,
        timeFor(now),
        hashKeyOf(id),
        toLimit(limit),
      ]);
      return { isDone: readFlag(row ?? {}, "done") };
    },
    finish: async (id, now) => {
      const [row] = await connection.work(`select ${schema}.finish_deletion($1, $2) as done`, [
        timeFor(now),
        hashKeyOf(id),
      ]);
      return readFlag(row ?? {}, "done");
    },
    find: (id) => find(store, id),
    list: async ({ unfinished = false, after, limit }) => {
      const below = after === undefined ? null : await numberOf(store, after);
      const rows = await connection.ask(`select * from ${schema}.show_deletions($1, null, $2, $3, $4)`, [
        bucket,
        below,
        unfinished,
        toLimit(limit) + 1,
      ]);
      return { deletions: rows.slice(0, limit).map((row) => showDeletion(row)), more: rows.length > limit };
    },
    suppressed: async ({ after, limit }) => {
      const rows = await connection.brief(
        `select name from ${schema}.suppressed where $1::uuid is null or user_key > $1::uuid order by user_key limit $2`,
        [after === undefined ? null : hashKeyOf(after), limit],
      );
      return rows.map((row) => readBytesText(row, "name"));
    },
  };
}

const SUPPRESSIONS = { begins: 1, ends: -1 } as const;

async function open(
  { connection, names, schema, bucket, timeFor }: Functions,
  deletion: NewDeletion,
  now: EpochMs,
): Promise<void> {
  const { id, regulation, sources } = deletion;
  const { suppression, purges, notifies } = effectsOf(regulation);
  const userIds = [...new Set(deletion.userIds)];
  const sourceNumber = await names.sources(sources ?? []);
  await connection.work(`select ${schema}.open_deletion($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`, [
    bucket,
    timeFor(now),
    hashKeyOf(id),
    encodeAnyText(id),
    codeOfRegulation(regulation),
    sources === null ? null : int4Array(sources.map(sourceNumber)),
    sources === null || suppression === "begins",
    purges,
    notifies,
    suppression === null ? 0 : SUPPRESSIONS[suppression],
    keyArray(userIds.map((user) => hashTextOf(user))),
    textArray(userIds),
  ]);
}

/** The record and its users come from two statements; a request that is finished between them is shown without users. */
async function find({ connection, schema, bucket }: Functions, id: DeletionId): Promise<DeletionRecord | undefined> {
  const key = hashKeyOf(id);
  const users = await connection.brief(
    `select u.name from ${schema}.deletion_user u join ${schema}.deletion d on d.number = u.number where d.key = $1::uuid order by u.place`,
    [key],
  );
  const [row] = await connection.brief(`select * from ${schema}.show_deletions($1, $2, null, false, 1)`, [bucket, key]);
  if (row === undefined) return undefined;
  const record = showDeletion(row);
  return record.finishedAt === undefined
    ? { ...record, userIds: users.map((user) => readBytesText(user, "name")) }
    : record;
}

/** The number of a request; 0 for an unknown one, so that no request comes after it. */
async function numberOf({ connection, schema }: Functions, id: DeletionId): Promise<number> {
  const [row] = await connection.ask(`select number from ${schema}.deletion where key = $1::uuid`, [hashKeyOf(id)]);
  return row === undefined ? 0 : readDigits(row, "number");
}

/** The record of a request. */
function showDeletion(row: TextRow): DeletionRecord {
  const finishedAt = readOptionalDigits(row, "finished_at");
  return {
    id: deletionId(readBytesText(row, "name")),
    number: readDigits(row, "number"),
    regulation: regulationOfCode(readDigits(row, "regulation")),
    sources: readFlag(row, "is_of_all")
      ? null
      : readBytesArray(row, "sources").map((name) => sourceId(decodeStoredText(name))),
    requestedAt: epochMs(readDigits(row, "requested_at")),
    ...defined({ finishedAt: finishedAt === undefined ? undefined : epochMs(finishedAt) }),
    users: readDigits(row, "users"),
    userIds: [],
    notified: readDigits(row, "notified"),
    isPurged: readFlag(row, "is_purged"),
    purged: readDigits(row, "purged"),
    notices: readTextOrEmpty(row, "notices")
      .split(",")
      .filter((notice) => notice !== "")
      .map(readNotice),
  };
}

/** `hex of the source:stored:delivered:dead`. */
function readNotice(text: string): NoticeCounts {
  const [source = "", ...counts] = text.split(":");
  const [stored = 0, delivered = 0, dead = 0] = counts.map(Number);
  return { source: sourceId(decodeStoredText(Buffer.from(source, "hex"))), stored, delivered, dead };
}
