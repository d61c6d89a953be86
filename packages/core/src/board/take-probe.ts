// Decides how one of several processes takes the next probe of a lane that is held: the one whose row is written (decision: lane
// board).

import { plusMs } from "../ids.js";
import { probeDelayMs } from "../lanes/pace.js";
import { LEASE_SLACK_MS } from "../limits.js";
import type { BoardRow } from "../ports/lane-board.js";
import type { BoardMoment } from "./lane-view.js";

/** The time for which a process has a probe to itself: the next delay, or the time for the receiver's answer if that is longer. */
export function probeLeaseMs(probes: number, timeoutMs: number): number {
  return Math.max(timeoutMs + LEASE_SLACK_MS, probeDelayMs("failing", probes));
}

/** A process's request for a probe. */
export interface ProbeRequest {
  readonly timeoutMs: number;
  /** True if the probe is requested before its time: by an operator, or since the last one showed nothing about the receiver. */
  readonly isHastened: boolean;
}

/** The row in which the process has taken the probe; undefined if there is none to take now. */
export function takeProbe(
  row: BoardRow,
  { timeoutMs, isHastened }: ProbeRequest,
  now: BoardMoment,
): BoardRow | undefined {
  const { backoff } = row;
  if (backoff === undefined || (backoff.probeAt > now.wall && !isHastened)) return undefined;
  const probeAt = plusMs(now.wall, probeLeaseMs(backoff.probes, timeoutMs));
  return { ...row, backoff: { ...backoff, probeAt, prober: now.process } };
}
