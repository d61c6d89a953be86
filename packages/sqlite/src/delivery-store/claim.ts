// Claims due deliveries, lane by lane, earliest first, of two kinds: never tried, and tried before. One index covers both waiting
// deliveries and those under an expired lease, whose lapse is counted. A delivery whose data is purged, or is to be, is marked dead.

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
  type Lapses,
  leaseToken,
  type LeaseToken,
  processId,
  holderOf,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { SqliteDatabase } from "../file/database.js";
import {
  readMaybeBytes,
  readMaybeNumber,
  readMaybeText,
  readNumber,
  readText,
  type Row,
  readSingleRow,
  readRows,
  readRow,
  toText,
} from "../rows/rows.js";
import { CLAIMED, idOf, readState, readBody, type CountedFields, BODY_COLUMNS } from "./codes.js";
import { prepareMarkPurged } from "./erasure.js";
import { type EndpointStatements, prepareEndpoints } from "./attempts.js";
import type { Transaction } from "./transaction.js";

export type ClaimDeliveries = (request: ClaimRequest, transaction: Transaction, now: EpochMs) => ClaimResult;

const TAKE = `
  update delivery set state = ${String(CLAIMED)}, due_at = ?, token = ? where id in (select value from json_each(?))`;

export function prepareClaim(database: SqliteDatabase): ClaimDeliveries {
  const dueQueries = prepareDue(database);
  const take = database.prepare(TAKE);
  const endpoints = prepareEndpoints(database);
  const lapses = prepareLapses(database);
  const markPurged = prepareMarkPurged(database);

  function claimLane(
    { laneClaim, lease }: ClaimOfLane,
    { deltas, erasure }: Transaction,
    now: EpochMs,
  ): readonly ClaimedDelivery[] {
    const { lane } = laneClaim;
    const leaseUntil = plusMs(now, lease.leaseMs);
    const claimed: ClaimedDelivery[] = [];
    const claimedIds: number[] = [];
    for (const row of dueQueries.find(laneClaim, now)) {
      const id = readNumber(row, "id");
      const isPurged = erasure.mustForget(id, readNumber(row, "message"), row);
      lapses.note(row, now, isPurged ? undefined : lease.token);
      if (isPurged) markPurged(id, now);
      else {
        claimedIds.push(id);
        claimed.push(readClaimed(row, { lane, leaseUntil, endpoints }));
      }
      deltas.move(countedOf(row, lane), readState(row), isPurged ? "dead" : "claimed");
    }
    if (claimedIds.length > 0) take.run(leaseUntil, toText(lease.token), JSON.stringify(claimedIds));
    return claimed;
  }

  return (request, transaction, now) => {
    const deliveries = request.lanes.flatMap((laneClaim) => claimLane({ laneClaim, lease: request }, transaction, now));
    const nextDueAt = new Map<DestinationId, EpochMs>();
    for (const { lane } of request.lanes) {
      const earliest = dueQueries.earliest(lane);
      if (earliest !== undefined) nextDueAt.set(lane, earliest);
    }
    return { deliveries, nextDueAt };
  };
}

interface ClaimOfLane {
  readonly laneClaim: LaneClaim;
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

/**
 * Parameters: lane, 1 for deliveries tried before or 0 for those never tried, now, limit. Exported for the test of its
 * query plan.
 */
export const SELECT_DUE: string = `
  select d.state, d.token, d.message, d.accepted_at, d.due_at, d.rounds, d.first_attempt_at, d.remembers, d.deletion, m.traceparent,
    ${BODY_COLUMNS}
  from delivery d indexed by delivery_due left join message m on m.id = d.message
  where d.lane = ? and (d.rounds > 0) = ? and d.due_at <= ? order by d.due_at, d.id limit ?`;

/**
 * SQL that selects the earliest due time in a lane, among deliveries never tried (`kind` 0) or tried before (`kind` 1).
 */
export function nextDueSql(lane: string, kind: 0 | 1): string {
  return `select due_at from delivery indexed by delivery_due
    where lane = ${lane} and (rounds > 0) = ${String(kind)} and due_at is not null order by due_at limit 1`;
}

interface DueQueries {
  /** Due deliveries up to the limit of the claim. `retries` of them may have been tried before; either kind fills the room of the other. */
  find(laneClaim: LaneClaim, now: EpochMs): readonly Row[];
  /** The earliest due time in the lane; undefined if the lane is empty. */
  earliest(lane: DestinationId): EpochMs | undefined;
}

const UNTRIED = 0;
const TRIED = 1;

function prepareDue(database: SqliteDatabase): DueQueries {
  const selectDue = database.prepare(SELECT_DUE);
  const selectEarliest = database.prepare(
    `select (${nextDueSql("?1", UNTRIED)}) as untried, (${nextDueSql("?1", TRIED)}) as tried`,
  );

  return {
    find: ({ lane, limit, retries }, now): readonly Row[] => {
      const findOfKind = (kind: 0 | 1, maxRows: number): readonly Row[] =>
        maxRows === 0 ? [] : readRows(selectDue.all(toText(lane), kind, now, maxRows));
      return retries === undefined ? findEarliest(findOfKind, limit) : findOfBothKinds(findOfKind, limit, retries);
    },
    earliest: (lane) => readEarliestDueAt(readSingleRow(selectEarliest.get(toText(lane)))),
  };
}

type FindOfKind = (kind: 0 | 1, maxRows: number) => readonly Row[];

/** Up to `retries` rows that were tried before, and the others; either kind also gets the room that the other leaves. */
function findOfBothKinds(findOfKind: FindOfKind, limit: number, retries: number): readonly Row[] {
  const tried = findOfKind(TRIED, Math.min(retries, limit));
  const untried = findOfKind(UNTRIED, limit - tried.length);
  const room = limit - untried.length;
  const mayHaveMore = tried.length === retries && room > tried.length;
  return [...untried, ...(mayHaveMore ? findOfKind(TRIED, room) : tried)];
}

function findEarliest(findOfKind: FindOfKind, limit: number): readonly Row[] {
  return [...findOfKind(UNTRIED, limit), ...findOfKind(TRIED, limit)].sort(compareDue).slice(0, limit);
}

function compareDue(first: Row, second: Row): number {
  return (
    readNumber(first, "due_at") - readNumber(second, "due_at") || readNumber(first, "id") - readNumber(second, "id")
  );
}

/** The earlier of the columns `untried` and `tried`; undefined if both are null. */
export function readEarliestDueAt(row: Row): EpochMs | undefined {
  const times = [readMaybeNumber(row, "untried"), readMaybeNumber(row, "tried")].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : epochMs(Math.min(...times));
}

interface LapseStatements {
  /**
   * Counts a lapse if the row is claimed: it has the columns `id`, `state`, `due_at` and `token`. `by` is the token of the claim that
   * follows; absent if the delivery becomes dead.
   */
  note(row: Row, now: EpochMs, by?: LeaseToken): void;
  read(delivery: number): Lapses | undefined;
  remove(deliveries: readonly number[]): void;
}

const NOTE = `
  insert into lapse (delivery, count, process, lease_until, taken_at, taken_by) values (?, 1, ?, ?, ?, ?)
  on conflict (delivery) do update set count = count + 1, process = excluded.process, lease_until = excluded.lease_until,
    taken_at = excluded.taken_at, taken_by = excluded.taken_by`;

export function prepareLapses(database: SqliteDatabase): LapseStatements {
  const note = database.prepare(NOTE);
  const select = database.prepare("select * from lapse where delivery = ?");
  const remove = database.prepare("delete from lapse where delivery in (select value from json_each(?))");
  return {
    note(row, now, by): void {
      if (readState(row) !== "claimed") return;
      const process = holderOf(leaseToken(readText(row, "token")));
      const takenBy = by === undefined ? null : toText(holderOf(by));
      note.run(readNumber(row, "id"), toText(process), readNumber(row, "due_at"), now, takenBy);
    },
    read(delivery): Lapses | undefined {
      const row = readRow(select.get(delivery));
      return row && readLapses(row);
    },
    remove: (deliveries): void => void remove.run(JSON.stringify(deliveries)),
  };
}

function readLapses(row: Row): Lapses {
  const takenBy = readMaybeText(row, "taken_by");
  return {
    count: readNumber(row, "count"),
    process: processId(readText(row, "process")),
    leaseUntil: epochMs(readNumber(row, "lease_until")),
    takenAt: epochMs(readNumber(row, "taken_at")),
    ...defined({ takenBy: takenBy === undefined ? undefined : processId(takenBy) }),
  };
}
