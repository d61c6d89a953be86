// The outbox of calls that hosts make in their own transactions. The source is stored as JSON, since a text of PostgreSQL cannot have
// U+0000 or lone surrogates; a host may also write it by hand, as it is.

import { type Outbox, type SourceId, sourceId } from "@postrider/core";
import { readDigits, readTextOrEmpty } from "../wire/read-row.js";
import { int8Array, toLimit } from "../wire/values.js";
import type { Functions } from "./functions.js";

/** The outbox of a store. */
export function createPostgresOutbox({ connection, schema, bucket }: Functions): Outbox {
  return {
    add: async ({ source, call }, run): Promise<void> => {
      await run(`insert into ${schema}.outbox (source, call) values ($1, $2)`, [JSON.stringify(source), call]);
    },
    read: async ({ after = "0", limit, except = [] }) => {
      const rows = await connection.ask(`select id, source, call from ${schema}.read_outbox($1, $2, $3, $4)`, [
        bucket,
        after,
        toLimit(limit),
        except.flatMap(textsOf),
      ]);
      return rows.map((row) => ({
        id: String(readDigits(row, "id")),
        source: sourceId(readSource(readTextOrEmpty(row, "source"))),
        call: readTextOrEmpty(row, "call"),
      }));
    },
    count: async ({ source, limit }) => {
      const [row] = await connection.ask(
        `select count(*) from (select 1 from ${schema}.outbox where bucket = $1 and source = any ($2) limit $3) o`,
        [bucket, textsOf(source), toLimit(limit)],
      );
      return readDigits(row ?? {}, "count");
    },
    remove: async (ids): Promise<void> => {
      await connection.ask(`delete from ${schema}.outbox where bucket = $1 and id = any ($2::int8[])`, [
        bucket,
        int8Array(ids.map(Number)),
      ]);
    },
  };
}

/** The texts by which a source is stored: by `add`, and by hand, unless by hand the text would stand for another source. */
function textsOf(source: SourceId): readonly string[] {
  const json = JSON.stringify(source);
  const isText = source.isWellFormed() && !source.includes("\u0000");
  return isText && readSource(source) === source ? [json, source] : [json];
}

/** A text that is no JSON was written by hand, and is the source itself. */
function readSource(text: string): string {
  try {
    const source: unknown = JSON.parse(text);
    return typeof source === "string" ? source : text;
  } catch {
    return text;
  }
}
