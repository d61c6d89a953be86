// One claim: a row for each delivery, a row for each lane that has a next one.

import {
  type Body,
  type ClaimedDelivery,
  type ClaimRequest,
  type ClaimResult,
  type DestinationId,
  type EpochMs,
  epochMs,
  sourceId,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { int4Array, toLimit } from "../wire/values.js";
import { tokenValues } from "../wire/text.js";
import {
  readBytes,
  readDigits,
  readOptionalBytes,
  readOptionalNumber,
  readOptionalText,
  readAnyText,
  type TextRow,
} from "../wire/read-row.js";
import { readEndpoints } from "./settle.js";
import { idAtPlace, readType } from "./codes.js";
import type { Functions, Lows } from "./functions.js";

const DELIVERY = 0;
const NEXT_DUE = 1;
const LOW = 3;

/** Claims due deliveries of some lanes. */
export async function claim(
  { connection, names, lows, schema, bucket, timeFor }: Functions,
  { token, leaseMs, lanes: asked }: ClaimRequest,
  now: EpochMs,
): Promise<ClaimResult> {
  const numbers = await names.lanes(asked.map(({ lane }) => lane));
  const rows = await connection.ask(`select * from ${schema}.claim($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, [
    ...[bucket, timeFor(now), ...tokenValues(token), leaseMs],
    int4Array(asked.map(({ lane }) => numbers(lane))),
    int4Array(asked.map(({ limit }) => toLimit(limit))),
    int4Array(asked.map(({ retries }) => toLimit(retries ?? -1))),
    ...lows.of(asked.map(({ lane }) => numbers(lane))),
  ]);
  const lanes = new Map(asked.map(({ lane }) => [numbers(lane), lane]));
  const leaseUntil = epochMs(readDigits(rows.at(-1) ?? {}, "at"));
  const kinds = (kind: number): readonly TextRow[] => rows.filter((row) => readDigits(row, "row_kind") === kind);
  for (const row of kinds(LOW)) learnLow(lows, row);
  return {
    deliveries: kinds(DELIVERY).map((row) => showClaimed(row, laneOf(lanes, row), leaseUntil)),
    nextDueAt: new Map(kinds(NEXT_DUE).map((row) => [laneOf(lanes, row), epochMs(readDigits(row, "at"))])),
  };
}

function learnLow(lows: Lows, row: TextRow): void {
  const [low, at] = [readDigits(row, "at"), epochMs(readDigits(row, "accepted_at"))];
  lows.learn(readDigits(row, "lane"), { low, isFull: readDigits(row, "place") === 1, at });
}

function laneOf(lanes: ReadonlyMap<number, DestinationId>, row: TextRow): DestinationId {
  return lanes.get(readDigits(row, "lane")) as DestinationId;
}

function showClaimed(row: TextRow, lane: DestinationId, leaseUntil: EpochMs): ClaimedDelivery {
  const firstAttemptAt = readOptionalNumber(row, "first_at");
  return {
    id: idAtPlace({ id: readDigits(row, "id"), place: readDigits(row, "place") }),
    lane,
    source: sourceId(readAnyText(row, "source")),
    type: readType(readDigits(row, "type")),
    messageId: readAnyText(row, "message_id"),
    acceptedAt: epochMs(readDigits(row, "accepted_at")),
    dueAt: epochMs(readDigits(row, "at")),
    body: new Uint8Array(readBytes(row, "body")) as Body,
    rounds: readDigits(row, "rounds"),
    endpoints: readEndpoints(readOptionalBytes(row, "endpoints"), readOptionalBytes(row, "excerpts")),
    leaseUntil,
    ...defined({
      firstAttemptAt: firstAttemptAt === undefined ? undefined : epochMs(firstAttemptAt),
      traceparent: readOptionalText(row, "traceparent"),
    }),
  };
}
