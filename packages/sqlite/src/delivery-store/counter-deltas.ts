// What a transaction moves in the counters of sources, in the totals of lanes and in the counts of notices, summed up and
// written at its end: one row for each that is touched, however many deliveries moved.

import { type Counts, type DeliveryState, type DestinationId, NO_COUNTS, type SourceId } from "@postrider/core";
import type { SqliteDatabase, SqliteStatement } from "../file/database.js";
import { toText } from "../rows/text.js";
import { type Notices, prepareNotices } from "./deletions/notices.js";
import type { Unit } from "./counted.js";

export interface Ledger {
  count(source: SourceId, counter: keyof Counts, more: number): void;
  /** A new delivery, in the state in which it starts. */
  enter(unit: Unit, state: DeliveryState): void;
  move(unit: Unit, from: DeliveryState, to: DeliveryState): void;
  /** The body of an unfinished delivery is removed. */
  lighten(unit: Pick<Unit, "lane" | "size">): void;
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
  readonly openNotices: () => Notices;
}

/** Answers a maker of empty ledgers, one for each transaction. */
export function prepareLedger(database: SqliteDatabase): () => Ledger {
  const statements = {
    tally: database.prepare(TALLY),
    lane: database.prepare(LANE),
    openNotices: prepareNotices(database),
  };
  return () => openLedger(statements);
}

function openLedger({ tally, lane, openNotices }: Statements): Ledger {
  const notices = openNotices();
  const sources = new Map<SourceId, Sums>();
  const lanes = new Map<DestinationId, { deliveries: number; bytes: number }>();

  function count(source: SourceId, counter: keyof Counts, more: number): void {
    const sums = sources.get(source) ?? { ...NO_COUNTS };
    sums[counter] += more;
    sources.set(source, sums);
  }

  function load(id: DestinationId, deliveries: number, bytes: number): void {
    const sums = lanes.get(id) ?? { deliveries: 0, bytes: 0 };
    sums.deliveries += deliveries;
    sums.bytes += bytes;
    lanes.set(id, sums);
  }

  return {
    count,
    enter: (unit, state): void => {
      count(unit.source, "accepted", 1);
      count(unit.source, state, 1);
      notices.enter(unit, state);
      // Even nought is written: lists go through the lanes that this table knows.
      load(unit.lane, weight(state), weight(state) * unit.size);
    },
    move: (unit, from, to): void => {
      count(unit.source, from, -1);
      count(unit.source, to, 1);
      notices.move(unit, to);
      const more = weight(to) - weight(from);
      load(unit.lane, more, more * unit.size);
    },
    lighten: ({ lane: id, size }): void => {
      load(id, 0, -size);
    },
    write: (): void => {
      for (const [source, sums] of sources) tally.run(toText(source), ...COUNTERS.map((name) => sums[name]));
      for (const [id, sums] of lanes) lane.run(toText(id), sums.deliveries, sums.bytes);
      notices.write();
    },
  };
}

/** What a delivery in this state adds to the load of its lane. */
function weight(state: DeliveryState): 0 | 1 {
  return state === "waiting" || state === "claimed" ? 1 : 0;
}
