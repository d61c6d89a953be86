// One claim, which the database answers with a row for each lease, for each claimed delivery in the order of its lease, for the next due
// time and for the start of the next search of each lane, and at last a row for the end of the leases.

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
  readOptionalDigits,
  readOptionalBytesText,
  readBytesText,
  type TextRow,
} from "../wire/read-row.js";
import { readEndpoints } from "./settle.js";
import { idAtPlace, typeOfCode } from "./codes.js";
import type { Functions, Lows } from "./functions.js";

/** The kinds of rows; kind 2 is the end of the leases, the last row. */
const DELIVERY = 0;
const NEXT_DUE = 1;
const LOW = 3;
const LEASE = 4;

/** Claims due deliveries of some lanes. */
export async function claim(
  { connection, names, lows, leased, schema, bucket, timeFor }: Functions,
  { token, leaseMs, lanes: laneClaims }: ClaimRequest,
  now: EpochMs,
): Promise<ClaimResult> {
  const numberOf = await names.lanes(laneClaims.map(({ lane }) => lane));
  const rows = await connection.ask(`select * from ${schema}.claim($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, [
    bucket,
    timeFor(now),
    ...tokenValues(token),
    leaseMs,
    int4Array(laneClaims.map(({ lane }) => numberOf(lane))),
    int4Array(laneClaims.map(({ limit }) => toLimit(limit))),
    int4Array(laneClaims.map(({ retries }) => toLimit(retries ?? -1))),
    ...lows.ofLanes(laneClaims.map(({ lane }) => numberOf(lane))),
  ]);
  const lanes = new Map(laneClaims.map(({ lane }) => [numberOf(lane), lane]));
  const leaseUntil = epochMs(readDigits(rows.at(-1) ?? {}, "at"));
  const rowsOfKind = (kind: number): readonly TextRow[] => rows.filter((row) => readDigits(row, "row_kind") === kind);
  for (const row of rowsOfKind(LOW)) learnLow(lows, row);
  const leases = new Map(
    rowsOfKind(LEASE).map((row) => [
      readDigits(row, "lane"),
      { lease: readDigits(row, "id"), entries: readDigits(row, "place") },
    ]),
  );
  const learn = leased.begin(token, leases);
  const deliveries = rowsOfKind(DELIVERY).map((row) => {
    const delivery = showClaimed(row, laneOf(lanes, row), leaseUntil);
    const [lane, source] = [readDigits(row, "lane"), readDigits(row, "source_id")];
    learn(delivery.id, { lane, source, size: delivery.body.length });
    return delivery;
  });
  return {
    deliveries,
    nextDueAt: new Map(rowsOfKind(NEXT_DUE).map((row) => [laneOf(lanes, row), epochMs(readDigits(row, "at"))])),
  };
}

/** Such a row has its values in columns of a delivery. */
function learnLow(lows: Lows, row: TextRow): void {
  lows.learn(readDigits(row, "lane"), {
    low: readDigits(row, "at"),
    isFull: readDigits(row, "place") === 1,
    at: epochMs(readDigits(row, "accepted_at")),
  });
}

function laneOf(lanes: ReadonlyMap<number, DestinationId>, row: TextRow): DestinationId {
  return lanes.get(readDigits(row, "lane")) as DestinationId;
}

function showClaimed(row: TextRow, lane: DestinationId, leaseUntil: EpochMs): ClaimedDelivery {
  const firstAttemptAt = readOptionalDigits(row, "first_at");
  return {
    id: idAtPlace({ id: readDigits(row, "id"), place: readDigits(row, "place") }),
    lane,
    source: sourceId(readBytesText(row, "source")),
    type: typeOfCode(readDigits(row, "type")),
    messageId: readBytesText(row, "message_id"),
    acceptedAt: epochMs(readDigits(row, "accepted_at")),
    dueAt: epochMs(readDigits(row, "at")),
    body: new Uint8Array(readBytes(row, "body")) as Body,
    rounds: readDigits(row, "rounds"),
    endpoints: readEndpoints(readOptionalBytes(row, "endpoints"), readOptionalBytes(row, "excerpts")),
    leaseUntil,
    ...defined({
      firstAttemptAt: firstAttemptAt === undefined ? undefined : epochMs(firstAttemptAt),
      traceparent: readOptionalBytesText(row, "traceparent"),
    }),
  };
}
