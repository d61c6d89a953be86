// Reduces the events of a relay to counters and histograms, with bounded labels. Knows no clock and no format, and keeps no id
// of a message, a delivery or a user.

import type { EpochMs, LaneStatus } from "@postrider/core";
import type { RelayEvent } from "@postrider/relay";
import { createEventMetrics } from "./event-metrics.js";
import { createLabelValues } from "./label-values.js";
import { createLaneGauges } from "./lane-gauges.js";
import type { MetricsSnapshot } from "./metrics-snapshot.js";
import { type Recorded, recordEvent } from "./record-event.js";

/** The counts of all events since it was created. */
export interface Registry {
  /** Counts one event: pass it to `observe` of a relay and of its HTTP fronts. It neither throws nor waits. */
  readonly observe: (event: RelayEvent) => void;
  /**
   * All metrics: what was observed, and the lanes as gauges. `lanes` is what `lanes()` of the relay answers, and `now` is the
   * time of the wall clock of the relay, in milliseconds since 1970.
   */
  snapshot(lanes: readonly LaneStatus[], now: EpochMs): MetricsSnapshot;
}

/**
 * A registry without any counts. Of destinations, sources, audiences and routes each, the first 500 have a label; all others
 * are counted as `other`.
 */
export function createRegistry(): Registry {
  const recorded: Recorded = {
    metrics: createEventMetrics(),
    destination: createLabelValues(),
    source: createLabelValues(),
    audience: createLabelValues(),
    route: createLabelValues(),
  };
  const laneGauges = createLaneGauges(recorded.destination);
  return {
    observe: (event) => recordEvent(recorded, event),
    snapshot: (lanes, now) => ({
      families: [...Object.values(recorded.metrics).map((metric) => metric.family()), ...laneGauges(lanes, now)],
    }),
  };
}
