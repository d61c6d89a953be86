// Reads one delivery in full, the counters of all sources, and the dedupe entries of a message id.

import {
  type DeliveryId,
  type DeliveryRecord,
  epochMs,
  type EpochMs,
  NO_COUNTS,
  type SeenMessage,
  type SeenQuery,
  type SourceCounts,
  sourceId,
  type Lapses,
  processId,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { keyArray } from "../wire/values.js";
import {
  readBytesArray,
  readDigits,
  readOptionalBytes,
  readBytesText,
  readOptionalDigits,
  readOptionalBytesText,
  type TextRow,
} from "../wire/read-row.js";
import { readAttempts, readEndpoints } from "./settle.js";
import { summariseRow } from "./lists.js";
import { COUNT_KINDS, placeOf } from "./codes.js";
import type { Functions } from "./functions.js";
import { seenKeyOf } from "./messages.js";

/** Shows one delivery. */
export async function find(
  { connection, schema, bucket }: Functions,
  id: DeliveryId,
): Promise<DeliveryRecord | undefined> {
  const place = placeOf(id);
  const [row] = await connection.brief(`select * from ${schema}.find($1, $2, $3)`, [bucket, place.id, place.place]);
  if (row === undefined) return undefined;
  const body = readOptionalBytes(row, "body");
  return {
    ...summariseRow(row, place.id),
    ...defined({ body: body && new Uint8Array(body) }),
    attempts: readAttempts(readBytesArray(row, "attempts")),
    endpoints: readEndpoints(readOptionalBytes(row, "endpoints"), readOptionalBytes(row, "excerpts")),
    ...defined({ lapses: readLapses(row) }),
  };
}

function readLapses(row: TextRow): Lapses | undefined {
  const count = readOptionalDigits(row, "lapses");
  if (count === undefined) return undefined;
  const takenBy = readOptionalBytesText(row, "taken_by");
  return {
    count,
    process: processId(readBytesText(row, "process")),
    leaseUntil: epochMs(readDigits(row, "lease_until")),
    takenAt: epochMs(readDigits(row, "taken_at")),
    ...defined({ takenBy: takenBy === undefined ? undefined : processId(takenBy) }),
  };
}

/** Shows the counters of all sources. */
export async function counts({ connection, schema, bucket }: Functions): Promise<readonly SourceCounts[]> {
  const rows = await connection.brief(`select * from ${schema}.counts($1)`, [bucket]);
  const sources = new Map<string, { -readonly [Name in keyof SourceCounts]: SourceCounts[Name] }>();
  for (const row of rows) {
    const name = readBytesText(row, "name");
    const sourceCounts = sources.get(name) ?? { source: sourceId(name), ...NO_COUNTS };
    const kind = readDigits(row, "kind");
    const count = readDigits(row, "count");
    const counter = COUNT_KINDS[kind];
    if (counter !== undefined) sourceCounts[counter] += count;
    if (kind < ACCEPTED_KINDS) sourceCounts.accepted += count;
    sources.set(name, sourceCounts);
  }
  return [...sources.values()];
}

/** The first five counters add up to `accepted`. */
const ACCEPTED_KINDS = 5;

/** Looks a message id up, under one source or under all that ever had a message. */
export async function findSeen(
  store: Functions,
  { messageId, source }: SeenQuery,
  now: EpochMs,
): Promise<readonly SeenMessage[]> {
  const { connection, schema, bucket, timeFor } = store;
  const sources = source === undefined ? await allSources(store) : [source];
  const keys = keyArray(sources.map((id) => seenKeyOf(id, messageId)));
  const rows = await connection.brief(`select * from ${schema}.list_seen($1, $2, $3)`, [bucket, timeFor(now), keys]);
  return rows.map((row) => ({
    source: sourceId(readBytesText(row, "name")),
    seenAt: epochMs(readDigits(row, "seen_at")),
    deliveries: readDigits(row, "deliveries"),
  }));
}

async function allSources({ connection, schema }: Functions): Promise<readonly string[]> {
  const rows = await connection.brief(`select name from ${schema}.source`);
  return rows.map((row) => readBytesText(row, "name"));
}
