// Sums the changes that one transaction makes to the counters of sources, the totals of lanes and the counts of notices. The
// sums are written before the commit: one row per source, lane and notice, for any number of deliveries.

import { type Counts, type DeliveryState, type DestinationId, NO_COUNTS, type SourceId } from "@postrider/core";
import type { SqliteDatabase, SqliteStatement } from "../file/database.js";
import { toText } from "../rows/text.js";
import { type NoticeDeltas, prepareNoticeDeltas } from "./deletions/notices.js";
import type { CountedFields } from "./counted.js";

export interface CounterDeltas {
  count(source: SourceId, counter: keyof Counts, more: number): void;
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

  function count(source: SourceId, counter: keyof Counts, more: number): void {
    const sums = sources.get(source) ?? { ...NO_COUNTS };
    sums[counter] += more;
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
      const more = laneLoad(to) - laneLoad(from);
      addToLane(counted.lane, more, more * counted.size);
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
