// Claims due deliveries, lane by lane. A delivery whose data is to be erased is marked dead instead.

import {
  type ClaimResult,
  type ClaimedDelivery,
  type ClaimRequest,
  type DeletionId,
  type DestinationId,
  type EpochMs,
  epochMs,
  type LaneClaim,
  type Lease,
  type MessageType,
  plusMs,
  sourceId,
} from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readMaybeBytes, readMaybeNumber, readMaybeText, readNumber, readText, type Row } from "../rows/read-row.js";
import { toText } from "../rows/text.js";
import { CLAIMED, idOf, readState } from "./codes.js";
import { prepareMarkPurged } from "./deletions/mark-purged.js";
import { prepareDue } from "./due.js";
import { type EndpointStatements, prepareEndpoints } from "./endpoints.js";
import { prepareLapses } from "./lapses.js";
import { readBody } from "./read-body.js";
import type { Transaction } from "./transaction.js";
import type { CountedFields } from "./counted.js";

export type ClaimDeliveries = (request: ClaimRequest, transaction: Transaction, now: EpochMs) => ClaimResult;

const TAKE = `
  update delivery set state = ${String(CLAIMED)}, due_at = ?, token = ? where id in (select value from json_each(?))`;

export function prepareClaim(database: SqliteDatabase): ClaimDeliveries {
  const due = prepareDue(database);
  const take = database.prepare(TAKE);
  const endpoints = prepareEndpoints(database);
  const lapses = prepareLapses(database);
  const markPurged = prepareMarkPurged(database);

  function claimLane(
    { asked, lease }: Asked,
    { deltas, erasure }: Transaction,
    now: EpochMs,
  ): readonly ClaimedDelivery[] {
    const { lane } = asked;
    const leaseUntil = plusMs(now, lease.leaseMs);
    const claimed: ClaimedDelivery[] = [];
    const taken: number[] = [];
    for (const row of due.find(asked, now)) {
      const id = readNumber(row, "id");
      const isErased = erasure.isErased(id, readNumber(row, "message"), row);
      lapses.note(row, now, isErased ? undefined : lease.token);
      if (isErased) markPurged(id, now);
      else {
        taken.push(id);
        claimed.push(readClaimed(row, { lane, leaseUntil, endpoints }));
      }
      deltas.move(countedOf(row, lane), readState(row), isErased ? "dead" : "claimed");
    }
    if (taken.length > 0) take.run(leaseUntil, toText(lease.token), JSON.stringify(taken));
    return claimed;
  }

  return (request, transaction, now) => {
    const deliveries = request.lanes.flatMap((asked) => claimLane({ asked, lease: request }, transaction, now));
    const nextDueAt = new Map<DestinationId, EpochMs>();
    for (const asked of request.lanes) {
      const next = due.next(asked);
      if (next !== undefined) nextDueAt.set(asked.lane, next);
    }
    return { deliveries, nextDueAt };
  };
}

interface Asked {
  readonly asked: LaneClaim;
  readonly lease: Lease;
}

/** The counted fields of a claimed row. The size of a purged body is 0. */
function countedOf(row: Row, lane: DestinationId): CountedFields {
  const deletion = readMaybeText(row, "deletion") as DeletionId | undefined;
  return {
    source: sourceId(readText(row, "source")),
    lane,
    size: readMaybeBytes(row, "body")?.length ?? 0,
    deletion,
  };
}

interface LaneContext {
  readonly lane: DestinationId;
  readonly leaseUntil: EpochMs;
  readonly endpoints: EndpointStatements;
}

function readClaimed(row: Row, { lane, leaseUntil, endpoints }: LaneContext): ClaimedDelivery {
  const id = readNumber(row, "id");
  const firstAttemptAt = readMaybeNumber(row, "first_attempt_at");
  const traceparent = readMaybeText(row, "traceparent");
  return {
    id: idOf(id),
    lane,
    source: sourceId(readText(row, "source")),
    type: readText(row, "type") as MessageType,
    messageId: readText(row, "message_id"),
    acceptedAt: epochMs(readNumber(row, "accepted_at")),
    dueAt: epochMs(readNumber(row, "due_at")),
    body: readBody(row, lane),
    rounds: readNumber(row, "rounds"),
    endpoints: readNumber(row, "remembers") === 1 ? endpoints.read(id) : [],
    leaseUntil,
    ...(firstAttemptAt === undefined ? {} : { firstAttemptAt: epochMs(firstAttemptAt) }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
