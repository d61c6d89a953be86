// An audience store over a pool of PostgreSQL connections. Each method is one call of a function, or one statement. User ids are bytes
// that sort as JavaScript sorts strings: two bytes for each UTF-16 unit, the high one first.

import { type AudienceStore, createStoreError, type Member } from "@postrider/core";
import { type Requests, createRequests } from "../connection/requests.js";
import type { PostgresStoreOptions } from "../delivery-store/open-store.js";
import { createPostgresRecords } from "../record-store.js";
import { migrateSchema, quoteName } from "../schema/migrate.js";
import { byteaArray, textArray } from "../wire/values.js";
import { hashKeyOf, encodeAnyText } from "../wire/text.js";
import { readBytes, readFlag, readDigits, readOptionalBytesText, readBytesText } from "../wire/read-row.js";

/** The most members that one call reads. */
const READ_MEMBERS = 1_000;

/** The most members that one call removes. */
const DROP_MEMBERS = 10_000;

/** The options of `openPostgresAudienceStore`. */
export type PostgresAudienceStoreOptions = Pick<PostgresStoreOptions, "pool" | "clock" | "schema">;

/** Opens a store of audiences in the same schema as that of deliveries, or in another one. Rejects as `openPostgresStore` does. */
export async function openPostgresAudienceStore({
  pool,
  clock,
  schema = "postrider",
}: PostgresAudienceStoreOptions): Promise<AudienceStore> {
  const connection = createRequests({ pool, clock });
  await migrateSchema(connection, schema);
  const tables = { connection, schema: quoteName(schema) };

  return {
    records: createPostgresRecords(tables),
    append: (set, members) => append(tables, set, members),
    read: (set, after) => read(tables, set, after),
    sets: async (prefix) => {
      const rows = await connection.work(`select name from ${tables.schema}.member_set`);
      const names = rows.map((row) => readBytesText(row, "name")).filter((name) => name.startsWith(prefix));
      return names.toSorted((first, second) => (first < second ? -1 : 1));
    },
    drop: async (set) => {
      const [row] = await connection.work(`select ${tables.schema}.drop_members($1, $2) as is_gone`, [
        hashKeyOf(set),
        DROP_MEMBERS,
      ]);
      return readFlag(row ?? {}, "is_gone");
    },
    erase: async (set, userIds) => {
      const keys = [...new Set(userIds)].map(sortKeyOf);
      const [row] = await connection.work(`select ${tables.schema}.erase_members($1, $2, $3) as count`, [
        hashKeyOf(set),
        byteaArray(keys.map(({ head }) => head)),
        byteaArray(keys.map(({ tail }) => tail)),
      ]);
      return readDigits(row ?? {}, "count");
    },
    // Nothing is left in the tables; pages, the log and backups are the host's.
    scrub: () => connection.ask("select 1").then(() => true),
    close: (): Promise<void> => {
      connection.close();
      return Promise.resolve();
    },
  };
}

interface AudienceTables {
  readonly connection: Requests;
  readonly schema: string;
}

async function append({ connection, schema }: AudienceTables, set: string, members: readonly Member[]): Promise<void> {
  if (members.length === 0) return;
  const keys = members.map(({ userId }) => sortKeyOf(userId));
  const [row] = await connection.work(`select ${schema}.append_members($1, $2, $3, $4, $5) as is_added`, [
    hashKeyOf(set),
    encodeAnyText(set),
    byteaArray(keys.map(({ head }) => head)),
    byteaArray(keys.map(({ tail }) => tail)),
    textArray(members.map(({ value }) => value ?? null)),
  ]);
  if (readFlag(row ?? {}, "is_added")) return;
  throw createStoreError("unavailable", `PostgreSQL: ${set} holds members that do not come before the added members`);
}

async function read({ connection, schema }: AudienceTables, set: string, after?: string): Promise<readonly Member[]> {
  const from = after === undefined ? undefined : sortKeyOf(after);
  const rows = await connection.ask(`select * from ${schema}.read_members($1, $2, $3, $4)`, [
    hashKeyOf(set),
    from?.head ?? Buffer.alloc(0),
    from?.tail ?? null,
    READ_MEMBERS,
  ]);
  return rows.map((row) => {
    const userId = userOfKey(readBytes(row, "user_id"));
    const value = readOptionalBytesText(row, "value");
    return value === undefined ? { userId } : { userId, value };
  });
}

/** The key of a user id in two parts: an index has only the head. */
interface SortKey {
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** The length of a head in bytes: an even number, so that no unit is split. */
const HEAD_BYTES = 1_024;

function sortKeyOf(userId: string): SortKey {
  const key = Buffer.from(userId, "utf16le").swap16();
  return { head: key.subarray(0, HEAD_BYTES), tail: key.subarray(HEAD_BYTES) };
}

/** The user id of a whole key. */
function userOfKey(key: Buffer): string {
  return Buffer.from(key).swap16().toString("utf16le");
}
