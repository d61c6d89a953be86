// An outage of one receiver as plain data that prints and shrinks, and the calls that its lane gets meanwhile.

import fc, { type Arbitrary } from "fast-check";

/** A receiver is down from the first call on. Times in milliseconds. */
export interface LaneOutage {
  readonly lastsMs: number;
  /** How long each answer takes while the receiver is down; it answers 503. */
  readonly tookMs: number;
  /** Determines every draw of chance. */
  readonly seed: number;
}

/** The calls that a lane gets: the first one at the start of the outage, each further one `everyMs` later. */
export interface LaneLoad {
  readonly calls: number;
  readonly everyMs: number;
}

/** One call, so that no lane is held. */
export const ONE_CALL: LaneLoad = { calls: 1, everyMs: 1_000 };

/** Outages of up to `outageMs`; fast-check draws the shortest and the longest ones often. */
export function laneOutages(outageMs: number, timeoutMs: number): Arbitrary<LaneOutage> {
  return fc.record({
    lastsMs: fc.integer({ min: 0, max: outageMs }),
    tookMs: fc.integer({ min: 0, max: timeoutMs }),
    seed: fc.nat(),
  });
}
