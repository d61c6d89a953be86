// The small records of a store, each method one statement. A text is bytes, since a text of PostgreSQL cannot have U+0000; it has a
// checksum, since records decide what is sent where. A look for a higher revision that finds none reads no text.

import { createHash } from "node:crypto";
import { createStoreError, type RecordKind, type RecordStore, type StoredRecord } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { Requests } from "./connection/requests.js";
import { readBytesText, readBytes, readDigits, readTextOrEmpty, type TextRow } from "./wire/read-row.js";
import { encodeAnyText, hashKeyOf } from "./wire/text.js";
import { toLimit } from "./wire/values.js";

interface RecordPlace {
  readonly connection: Pick<Requests, "ask">;
  /** Quoted. */
  readonly schema: string;
}

const COLUMNS = "name, revision, tag, body, checksum";

export function createPostgresRecords({ connection, schema }: RecordPlace): RecordStore {
  const table = `${schema}.record`;
  // A write selects from it, which makes its transaction durable.
  const durable = `${schema}.promise_durable()`;

  return {
    put: async (record) => {
      const { kind, key, revision, tag = null, text } = record;
      const statement = revision === 1 ? insertInto(table, durable) : updateOf(table, durable);
      const values = [kind, hashKeyOf(key), encodeAnyText(key), revision, tag, Buffer.from(text), sumOf(record)];
      const rows = await connection.ask(statement, values);
      return rows.length > 0;
    },
    find: async (kind, key, above = 0) => {
      const [row] = await connection.ask(
        `select ${COLUMNS} from ${table} where kind = $1 and key = $2::uuid and revision > $3::int8`,
        [kind, hashKeyOf(key), Math.floor(above)],
      );
      return row && readRecord(kind, row);
    },
    list: async ({ kind, tag = null, after, limit }) => {
      const rows = await connection.ask(
        `select ${COLUMNS} from ${table} where kind = $1 ${tag === null ? "and $2::text is null" : "and tag = $2"}
          and ($3::uuid is null or key > $3::uuid) order by key limit $4`,
        [kind, tag, after === undefined ? null : hashKeyOf(after), toLimit(limit)],
      );
      return rows.map((row) => readRecord(kind, row));
    },
    remove: async (kind, key): Promise<void> => {
      await connection.ask(`delete from ${table} using ${durable} where kind = $1 and key = $2::uuid`, [
        kind,
        hashKeyOf(key),
      ]);
    },
  };
}

function insertInto(table: string, durable: string): string {
  return `insert into ${table} (kind, key, name, revision, tag, body, checksum)
    select $1::text, $2::uuid, $3::bytea, $4::int8, $5::text, $6::bytea, $7::bytea from ${durable} on conflict do nothing returning revision`;
}

function updateOf(table: string, durable: string): string {
  return `update ${table} set name = $3::bytea, revision = $4::int8, tag = $5::text, body = $6::bytea, checksum = $7::bytea from ${durable}
    where kind = $1 and key = $2::uuid and revision = $4::int8 - 1 returning revision`;
}

function sumOf({ kind, key, revision, tag = "", text }: StoredRecord): Buffer {
  const head = [kind, String(revision), tag, String(key.length)].join("\n");
  return createHash("sha256").update(`${head}\n`).update(encodeAnyText(key)).update(text).digest();
}

function readRecord(kind: RecordKind, row: TextRow): StoredRecord {
  const key = readBytesText(row, "name");
  const revision = readDigits(row, "revision");
  const text = readBytes(row, "body").toString("utf8");
  const tag = readTextOrEmpty(row, "tag");
  const record = { kind, key, revision, ...defined({ tag: tag === "" ? undefined : tag }), text };
  if (!sumOf(record).equals(readBytes(row, "checksum")))
    throw createStoreError("corrupt", `PostgreSQL: a record of the kind ${kind} is not what was stored`);
  return record;
}
