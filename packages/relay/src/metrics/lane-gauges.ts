// Gauges from the states of the lanes at one moment. Lanes that share a label have one point: their counts are added, and of
// their times and states the worst counts.

import type { EpochMs, LaneStatus } from "@postrider/core";
import { DESTINATION, type LabelOf } from "./event-metrics.js";
import { MS_PER_SECOND } from "./limits.js";
import type { MetricFacts, MetricLabels, NumberFamily, NumberPoint } from "./metrics-snapshot.js";

interface Gauge extends MetricFacts {
  /** Undefined if the lane has none: then it has no point. */
  readonly value: (lane: LaneStatus, now: EpochMs) => number | undefined;
  readonly join: (first: number, second: number) => number;
}

const add: Gauge["join"] = (first, second) => first + second;
const largest: Gauge["join"] = (first, second) => Math.max(first, second);
const smallest: Gauge["join"] = (first, second) => Math.min(first, second);

const GAUGES: readonly Gauge[] = [
  {
    name: "postrider.lane.waiting",
    help: "Deliveries that wait.",
    value: ({ deliveries, inFlight }) => Math.max(0, deliveries - inFlight),
    join: add,
  },
  {
    name: "postrider.lane.bytes",
    help: "Bytes of unfinished deliveries.",
    unit: "By",
    value: ({ bytes }) => bytes,
    join: add,
  },
  {
    name: "postrider.lane.in_flight",
    help: "Deliveries that this process has claimed.",
    value: ({ inFlight }) => inFlight,
    join: add,
  },
  {
    name: "postrider.lane.limit",
    help: "Deliveries that this process may claim.",
    value: ({ limit }) => limit,
    join: add,
  },
  {
    name: "postrider.lane.oldest_due",
    help: "How long the oldest due delivery could be claimed.",
    unit: "s",
    value: ({ nextDueAt }, now) => secondsSince(nextDueAt, now),
    join: largest,
  },
  {
    name: "postrider.lane.window_left",
    help: "Until the first retry window ends; below 0 after.",
    unit: "s",
    value: ({ windowEndsAt }, now) => secondsUntil(windowEndsAt, now),
    join: smallest,
  },
  {
    name: "postrider.lane.held",
    help: "1 if only probes are sent, since the receiver fails or refuses.",
    value: ({ backoff }) => (backoff === undefined || backoff.kind === "blocked" ? 0 : 1),
    join: largest,
  },
  {
    name: "postrider.lane.refusing",
    help: "1 if it is held since the receiver refuses whatever it gets.",
    value: ({ backoff }) => (backoff?.kind === "refusing" ? 1 : 0),
    join: largest,
  },
  {
    name: "postrider.lane.blocked",
    help: "1 if our own address policy refuses all its endpoints.",
    value: ({ backoff }) => (backoff?.kind === "blocked" ? 1 : 0),
    join: largest,
  },
  {
    name: "postrider.lane.paused",
    help: "1 if the settings or an operator have paused it.",
    value: ({ pausedBy }) => (pausedBy.length > 0 ? 1 : 0),
    join: largest,
  },
];

/** The gauges of lanes at a moment: a family for each gauge, with a point for each label that has a value. */
export type LaneGauges = (lanes: readonly LaneStatus[], now: EpochMs) => readonly NumberFamily[];

/** Remembers the labels of lanes, and nothing else of them. */
export function createLaneGauges(labelOf: LabelOf): LaneGauges {
  const labelsOf = createLabels();
  return (lanes, now) => {
    const rows = joinedRows(lanes, labelOf, now);
    return GAUGES.map(({ name, help, unit }, column) => {
      const points: NumberPoint[] = [];
      for (const [label, row] of rows) {
        const value = row[column];
        if (value !== undefined) points.push({ labels: labelsOf(label), value });
      }
      return { name, help, ...(unit === undefined ? {} : { unit }), kind: "gauge", points };
    });
  };
}

type Row = readonly (number | undefined)[];

/** For each label a value of each gauge, in one pass over the lanes. */
function joinedRows(lanes: readonly LaneStatus[], labelOf: LabelOf, now: EpochMs): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const lane of lanes) {
    const label = labelOf(lane.lane);
    const values = GAUGES.map(({ value }) => value(lane, now));
    const row = rows.get(label);
    rows.set(label, row === undefined ? values : joinRows(row, values));
  }
  return rows;
}

function joinRows(row: Row, added: Row): Row {
  return GAUGES.map(({ join }, column) => {
    const [first, second] = [row[column], added[column]];
    if (first === undefined) return second;
    return second === undefined ? first : join(first, second);
  });
}

/** The labels of a destination are one object in all gauges and snapshots: as many as there are labels of destinations. */
function createLabels(): (label: string) => MetricLabels {
  const labelsByDestination = new Map<string, MetricLabels>();
  return (label) => {
    const labels = labelsByDestination.get(label) ?? [[DESTINATION, label]];
    labelsByDestination.set(label, labels);
    return labels;
  };
}

function secondsSince(at: EpochMs | undefined, now: EpochMs): number | undefined {
  return at === undefined ? undefined : Math.max(0, now - at) / MS_PER_SECOND;
}

function secondsUntil(at: EpochMs | undefined, now: EpochMs): number | undefined {
  return at === undefined ? undefined : (at - now) / MS_PER_SECOND;
}
