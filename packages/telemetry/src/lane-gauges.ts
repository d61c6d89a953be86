// Gauges from the states of the lanes at one moment. Lanes that share a label are one: their counts are added, and of their
// times the worst counts. Keeps nothing.

import type { EpochMs, LaneStatus } from "@postrider/core";
import { DESTINATION } from "./event-metrics.js";
import type { LabelOf } from "./label-values.js";
import { MS_PER_SECOND } from "./limits.js";
import type { MetricFacts, NumberFamily } from "./metrics-snapshot.js";

interface Gauge extends MetricFacts {
  /** Undefined if the lane has none: then it has no point. */
  readonly value: (lane: LaneStatus, now: EpochMs) => number | undefined;
  readonly join: (one: number, other: number) => number;
}

const add: Gauge["join"] = (one, other) => one + other;
const largest: Gauge["join"] = (one, other) => Math.max(one, other);
const smallest: Gauge["join"] = (one, other) => Math.min(one, other);

const GAUGES: readonly Gauge[] = [
  {
    ...{ name: "postrider.lane.waiting", help: "Deliveries that wait." },
    ...{ value: ({ deliveries, inFlight }) => Math.max(0, deliveries - inFlight), join: add },
  },
  {
    ...{ name: "postrider.lane.bytes", help: "Bytes of unfinished deliveries.", unit: "By" },
    ...{ value: ({ bytes }) => bytes, join: add },
  },
  {
    ...{ name: "postrider.lane.in_flight", help: "Deliveries that this process has claimed." },
    ...{ value: ({ inFlight }) => inFlight, join: add },
  },
  {
    ...{ name: "postrider.lane.limit", help: "Deliveries that this process may claim." },
    ...{ value: ({ limit }) => limit, join: add },
  },
  {
    ...{ name: "postrider.lane.oldest_due", help: "How long the oldest due delivery could be claimed.", unit: "s" },
    ...{ value: ({ nextDueAt }, now) => secondsSince(nextDueAt, now), join: largest },
  },
  {
    ...{ name: "postrider.lane.window_left", help: "Until the first retry window ends; below 0 after.", unit: "s" },
    ...{ value: ({ windowEndsAt }, now) => secondsUntil(windowEndsAt, now), join: smallest },
  },
  {
    ...{ name: "postrider.lane.held", help: "1 if only probes are sent, since the receiver fails." },
    ...{ value: ({ backoff }) => (backoff?.kind === "held" ? 1 : 0), join: largest },
  },
];

/** A family for each gauge, with a point for each label that has a value. */
export function laneGauges(lanes: readonly LaneStatus[], labelOf: LabelOf, now: EpochMs): readonly NumberFamily[] {
  return GAUGES.map(({ value, join, ...facts }) => {
    const values = new Map<string, number>();
    for (const lane of lanes) {
      const one = value(lane, now);
      if (one === undefined) continue;
      const label = labelOf(lane.lane);
      const other = values.get(label);
      values.set(label, other === undefined ? one : join(one, other));
    }
    const points = [...values].map(([label, sum]) => ({ labels: [[DESTINATION, label] as const], value: sum }));
    return { ...facts, kind: "gauge", points };
  });
}

function secondsSince(at: EpochMs | undefined, now: EpochMs): number | undefined {
  return at === undefined ? undefined : Math.max(0, now - at) / MS_PER_SECOND;
}

function secondsUntil(at: EpochMs | undefined, now: EpochMs): number | undefined {
  return at === undefined ? undefined : (at - now) / MS_PER_SECOND;
}
