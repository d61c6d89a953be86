// A trace as it is read back: the segments of a recording, in the order of their beginnings. Values are as `encode` wrote them.

import type { PortParts } from "./port-methods.js";
import type { Turn } from "./turn.js";

/** The version of the format that this package writes, and the only one that it reads. */
export const TRACE_VERSION = 1;

/**
 * The form of bodies, calls and user ids in a trace. `digest`: their sizes and shapes; equal texts stay equal. `full`: all of it. Secrets
 * and header values are in no trace.
 */
export type TraceBodies = "digest" | "full";

/** A recording of a relay, as `readTrace` answers it and `replayTrace` takes it. */
export interface Trace {
  readonly version: typeof TRACE_VERSION;
  readonly bodies: TraceBodies;
  /** The records of relays that took over from each other, the oldest first. */
  readonly segments: readonly TraceSegment[];
  /** True if the file ended early: the part after the last whole segment is missing. */
  readonly isCut: boolean;
}

/** The record of one relay. Its values are opaque: `replayTrace` reads them. */
export interface TraceSegment {
  readonly settings: unknown;
  /** Absent: the relay was the first of its process. */
  readonly state?: unknown;
  readonly parts: PortParts;
  readonly turns: readonly Turn[];
}
