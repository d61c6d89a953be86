// Sums the changes that one transaction makes to the counters of sources, the totals of lanes and the counts of notices, which outlive
// the deliveries. The sums are written before the commit: one row per source, lane and notice, for any number of deliveries.

import {
  type Counts,
  type DeliveryState,
  type DestinationId,
  NO_COUNTS,
  type SourceId,
  type DeletionId,
} from "@postrider/core";
import type { SqliteDatabase, SqliteStatement } from "../file/database.js";
import type { Erasure } from "./erasure.js";
import { toText } from "../rows/rows.js";
import type { CountedFields } from "./codes.js";

/** The objects that all operations of one transaction share. */
export interface Transaction {
  readonly deltas: CounterDeltas;
  readonly erasure: Erasure;
}

export interface CounterDeltas {
  /** Adds to a counter of a source. */
  count(source: SourceId, counter: keyof Counts, increase: number): void;
  /** Counts a new delivery in its first state. */
  add(counted: CountedFields, state: DeliveryState): void;
  /** Counts that a delivery changes its state. */
  move(counted: CountedFields, from: DeliveryState, to: DeliveryState): void;
  /** Counts that the body of an unfinished delivery is removed. */
  removeBody(counted: Pick<CountedFields, "lane" | "size">): void;
  write(): void;
}

const COUNTERS: readonly (keyof Counts)[] = [
  "accepted",
  "filtered",
  "waiting",
  "claimed",
  "delivered",
  "dead",
  "received",
  "refused",
  "duplicates",
  "suppressed",
  "shed",
];

const TALLY = `
  insert into tally (source, ${COUNTERS.join(", ")}) values (?${", ?".repeat(COUNTERS.length)})
  on conflict (source) do update set ${COUNTERS.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`;

const LANE = `
  insert into lane (lane, deliveries, bytes) values (?, ?, ?)
  on conflict (lane) do update set deliveries = deliveries + excluded.deliveries, bytes = bytes + excluded.bytes`;

type Sums = Record<keyof Counts, number>;

interface Statements {
  readonly tally: SqliteStatement;
  readonly lane: SqliteStatement;
  readonly openNoticeDeltas: () => NoticeDeltas;
}

/** Returns a function that opens empty deltas, for one transaction. */
export function prepareCounterDeltas(database: SqliteDatabase): () => CounterDeltas {
  const statements = {
    tally: database.prepare(TALLY),
    lane: database.prepare(LANE),
    openNoticeDeltas: prepareNoticeDeltas(database),
  };
  return () => openCounterDeltas(statements);
}

function openCounterDeltas({ tally, lane, openNoticeDeltas }: Statements): CounterDeltas {
  const notices = openNoticeDeltas();
  const sources = new Map<SourceId, Sums>();
  const lanes = new Map<DestinationId, { deliveries: number; bytes: number }>();

  function count(source: SourceId, counter: keyof Counts, increase: number): void {
    const sums = sources.get(source) ?? { ...NO_COUNTS };
    sums[counter] += increase;
    sources.set(source, sums);
  }

  function addToLane(id: DestinationId, deliveries: number, bytes: number): void {
    const sums = lanes.get(id) ?? { deliveries: 0, bytes: 0 };
    sums.deliveries += deliveries;
    sums.bytes += bytes;
    lanes.set(id, sums);
  }

  return {
    count,
    add: (counted, state): void => {
      count(counted.source, "accepted", 1);
      count(counted.source, state, 1);
      notices.add(counted, state);
      // Called also for a delivery that starts as dead and adds 0, since lists take the names of lanes from this table.
      addToLane(counted.lane, laneLoad(state), laneLoad(state) * counted.size);
    },
    move: (counted, from, to): void => {
      count(counted.source, from, -1);
      count(counted.source, to, 1);
      notices.move(counted, to);
      const change = laneLoad(to) - laneLoad(from);
      addToLane(counted.lane, change, change * counted.size);
    },
    removeBody: ({ lane: id, size }): void => {
      addToLane(id, 0, -size);
    },
    write: (): void => {
      for (const [source, sums] of sources) tally.run(toText(source), ...COUNTERS.map((name) => sums[name]));
      for (const [id, sums] of lanes) lane.run(toText(id), sums.deliveries, sums.bytes);
      notices.write();
    },
  };
}

/** The number of unfinished deliveries that a delivery in this state adds to its lane. */
function laneLoad(state: DeliveryState): 0 | 1 {
  return state === "waiting" || state === "claimed" ? 1 : 0;
}

/** Runs a transaction of the store, with its counter deltas. */
export type Write = <T>(work: (transaction: Transaction) => T) => Promise<T>;

/** The changes that one transaction makes to the counts of notices. */
interface NoticeDeltas {
  add(counted: CountedFields, state: DeliveryState): void;
  move(counted: CountedFields, to: DeliveryState): void;
  write(): void;
}

const ADD_COUNTS = `
  insert into notice (deletion, source, stored, delivered, dead) values (?, ?, ?, ?, ?)
  on conflict (deletion, source) do update set
    stored = stored + excluded.stored, delivered = delivered + excluded.delivered, dead = dead + excluded.dead`;

function prepareNoticeDeltas(database: SqliteDatabase): () => NoticeDeltas {
  const count = database.prepare(ADD_COUNTS);
  return () => openNoticeDeltas(count);
}

interface NoticeSums {
  readonly deletion: DeletionId;
  readonly source: SourceId;
  stored: number;
  delivered: number;
  dead: number;
}

function openNoticeDeltas(statement: SqliteStatement): NoticeDeltas {
  const noticeSums: NoticeSums[] = [];

  function count({ deletion, source }: CountedFields, state: DeliveryState | "stored"): void {
    if (deletion === undefined || state === "waiting" || state === "claimed") return;
    const existing = noticeSums.find((sums) => sums.deletion === deletion && sums.source === source);
    const sums = existing ?? { deletion, source, stored: 0, delivered: 0, dead: 0 };
    if (existing === undefined) noticeSums.push(sums);
    sums[state] += 1;
  }

  return {
    add: (counted, state): void => {
      count(counted, "stored");
      count(counted, state);
    },
    move: count,
    write: (): void => {
      for (const { deletion, source, stored, delivered, dead } of noticeSums)
        statement.run(toText(deletion), toText(source), stored, delivered, dead);
    },
  };
}
