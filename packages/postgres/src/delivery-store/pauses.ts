// The lanes that operators have paused. Each method is one statement.

import { destinationId, epochMs, type PauseStore } from "@postrider/core";
import { hashKeyOf } from "../wire/key.js";
import { readDigits, readAnyText } from "../wire/read-row.js";
import { encodeAnyText } from "../wire/text.js";
import type { Functions } from "./commit.js";

/** The pauses of a store. */
export function createPostgresPauses({ connection, schema, timeFor }: Functions): PauseStore {
  return {
    add: async (lane, now): Promise<void> => {
      await connection.brief(
        `insert into ${schema}.pause (key, name, paused_at)
          select $1::uuid, $2::bytea, coalesce($3::int8, ${schema}.clock_ms()) from ${schema}.promise_durable() on conflict do nothing`,
        [hashKeyOf(lane), encodeAnyText(lane), timeFor(now)],
      );
    },
    remove: async (lane): Promise<void> => {
      await connection.brief(`delete from ${schema}.pause using ${schema}.promise_durable() where key = $1::uuid`, [
        hashKeyOf(lane),
      ]);
    },
    list: async ({ after, limit }) => {
      const rows = await connection.ask(
        `select name, paused_at from ${schema}.pause where $1::uuid is null or key > $1::uuid order by key limit $2`,
        [after === undefined ? null : hashKeyOf(after), limit],
      );
      return rows.map((row) => ({
        lane: destinationId(readAnyText(row, "name")),
        pausedAt: epochMs(readDigits(row, "paused_at")),
      }));
    },
  };
}
