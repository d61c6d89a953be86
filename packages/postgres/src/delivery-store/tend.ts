// Ending and bringing forward, each one call of a function.

import type { EndRequest, EpochMs, PullInRequest } from "@postrider/core";
import { toLimit } from "../wire/limit.js";
import { readDigits } from "../wire/read-row.js";
import { encodeAnyText } from "../wire/text.js";
import { reasonCode } from "./codes.js";
import type { Functions } from "./commit.js";

/** Ends deliveries of a lane. */
export async function end(store: Functions, request: EndRequest, now: EpochMs): Promise<number> {
  const { lane, reason, detail, firstAttemptBefore, acceptedBefore, limit } = request;
  const lanes = await store.names.lanes([lane]);
  return count(store, "end_lane($1, $2, $3, $4, $5, $6, $7, $8)", [
    ...[store.bucket, store.timeFor(now), lanes(lane), reasonCode(reason)],
    ...[
      detail === undefined ? null : encodeAnyText(detail),
      firstAttemptBefore ?? null,
      acceptedBefore ?? null,
      toLimit(limit),
    ],
  ]);
}

/** Brings deliveries of a lane forward. */
export async function pullIn(
  store: Functions,
  { lane, dueAfter, dueAt, limit }: PullInRequest,
  now: EpochMs,
): Promise<number> {
  const lanes = await store.names.lanes([lane]);
  return count(store, "pull_in($1, $2, $3, $4, $5, $6)", [
    ...[store.bucket, store.timeFor(now), lanes(lane)],
    ...[dueAfter, dueAt, toLimit(limit)],
  ]);
}

async function count({ connection, schema }: Functions, call: string, values: readonly unknown[]): Promise<number> {
  const [row] = await connection.work(`select ${schema}.${call} as count`, values);
  return readDigits(row ?? {}, "count");
}
