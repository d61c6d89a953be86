// Brings the next probe of a lane forward to now. Must not know why.

import type { MonoMs } from "../ids.js";
import type { Pace } from "./pace.js";

/** The pace of a lane whose next probe may go out at once; the same pace if it sends more than probes. */
export function probeNow(pace: Pace, now: MonoMs): Pace {
  const { backoff } = pace;
  return backoff === undefined ? pace : { ...pace, backoff: { ...backoff, probeAt: now, freshAt: now } };
}
