// Claims what is due, earliest first, lane by lane. One index serves what waits and what was left under an ended lease,
// since a claimed delivery stands in it at the end of its lease. What has come out of reach dies here instead.

import type {
  Claimed,
  ClaimedDelivery,
  ClaimRequest,
  DestinationId,
  EpochMs,
  Lease,
  MessageType,
  SourceId,
} from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { readMaybeBytes, readMaybeNumber, readNumber, readRow, readRows, readText, type Row } from "../read-row.js";
import { toText } from "../text.js";
import { CLAIMED, idOf, readState } from "./codes.js";
import { prepareBury } from "./deletions/bury.js";
import { type Endpoints, prepareEndpoints } from "./endpoints.js";
import type { Unit } from "./unit.js";
import { BODY, readBody } from "./read-body.js";
import type { Transaction } from "./transaction.js";

export type Claim = (request: ClaimRequest, transaction: Transaction, now: EpochMs) => Claimed;

/** Exported for the test that looks at its plan. */
export const DUE: string = `
  select d.state, d.message, d.accepted_at, d.due_at, d.rounds, d.first_attempt_at, ${BODY}
  from delivery d indexed by delivery_due left join message m on m.id = d.message
  where d.lane = ? and d.due_at <= ? order by d.due_at, d.id limit ?`;

/** Exported for the test that looks at its plan. */
export const NEXT_DUE =
  "select due_at from delivery indexed by delivery_due where lane = ? and due_at is not null order by due_at limit 1";

export function prepareClaim(database: SqliteDatabase): Claim {
  const due = database.prepare(DUE);
  const take = database.prepare(`update delivery set state = ${String(CLAIMED)}, due_at = ?, token = ? where id = ?`);
  const next = database.prepare(NEXT_DUE);
  const endpoints = prepareEndpoints(database);
  const bury = prepareBury(database);

  function claimLane(
    { lane, limit, lease }: LaneClaim,
    transaction: Transaction,
    now: EpochMs,
  ): readonly ClaimedDelivery[] {
    const { ledger, reach } = transaction;
    const leaseUntil = (now + lease.leaseMs) as EpochMs;
    const claimed: ClaimedDelivery[] = [];
    for (const row of readRows(due.all(toText(lane), now, limit))) {
      const id = readNumber(row, "id");
      if (reach.isLost(id, readNumber(row, "message"), row)) {
        bury(id, now);
        ledger.move(unitOf(row, lane), readState(row), "dead");
        continue;
      }
      take.run(leaseUntil, toText(lease.token), id);
      const delivery = readClaimed(row, { lane, leaseUntil, endpoints });
      ledger.move({ source: delivery.source, lane, size: delivery.body.length }, readState(row), "claimed");
      claimed.push(delivery);
    }
    return claimed;
  }

  return (request, transaction, now) => {
    const deliveries = request.lanes.flatMap(({ lane, limit }) =>
      claimLane({ lane, limit, lease: request }, transaction, now),
    );
    const nextDueAt = new Map<DestinationId, EpochMs>();
    for (const { lane } of request.lanes) {
      const row = readRow(next.get(toText(lane)));
      if (row !== undefined) nextDueAt.set(lane, readNumber(row, "due_at") as EpochMs);
    }
    return { deliveries, nextDueAt };
  };
}

/** Where there is none, nothing of its weight is left. */
function unitOf(row: Row, lane: DestinationId): Unit {
  return { source: readText(row, "source") as SourceId, lane, size: readMaybeBytes(row, "body")?.length ?? 0 };
}

interface LaneClaim {
  readonly lane: DestinationId;
  readonly limit: number;
  readonly lease: Lease;
}

interface Holding {
  readonly lane: DestinationId;
  readonly leaseUntil: EpochMs;
  readonly endpoints: Endpoints;
}

function readClaimed(row: Row, { lane, leaseUntil, endpoints }: Holding): ClaimedDelivery {
  const id = readNumber(row, "id");
  const firstAttemptAt = readMaybeNumber(row, "first_attempt_at");
  return {
    id: idOf(id),
    lane,
    source: readText(row, "source") as SourceId,
    type: readText(row, "type") as MessageType,
    messageId: readText(row, "message_id"),
    acceptedAt: readNumber(row, "accepted_at") as EpochMs,
    dueAt: readNumber(row, "due_at") as EpochMs,
    body: readBody(row, lane),
    rounds: readNumber(row, "rounds"),
    endpoints: endpoints.read(id),
    leaseUntil,
    ...(firstAttemptAt === undefined ? {} : { firstAttemptAt: firstAttemptAt as EpochMs }),
  };
}
