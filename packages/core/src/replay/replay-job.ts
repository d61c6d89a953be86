// The stored record of a replay job: the filter of its deliveries, and its progress. Stores keep the record unchanged; its
// keys are part of the stored format.

import type { DeadReason, Detail, MessageType } from "../delivery/delivery.js";
import type { DeliveryId, DestinationId, EpochMs, ReplayJobId, SourceId } from "../ids.js";
import type { LeaseHolder } from "../delivery/lease.js";

/**
 * The filter of the finished deliveries to replay: those that meet all conditions and were not replayed before. It names no user, so that
 * no request about users concerns the records of jobs.
 */
export interface ReplayFilter {
  /** Deliveries in one of these states; at least one. */
  readonly states: readonly ReplayedState[];
  readonly reason?: DeadReason;
  /** Deliveries with one of these details. */
  readonly details?: readonly Detail[];
  readonly source?: SourceId;
  readonly destination?: DestinationId;
  readonly type?: MessageType;
  /**
   * `acceptedSince <= acceptedAt < acceptedBefore`. In the record of a job, `acceptedBefore` is at most its creation, so that it replays
   * no replay.
   */
  readonly acceptedSince?: EpochMs;
  readonly acceptedBefore?: EpochMs;
}

/** The states in which a delivery can be replayed. */
export type ReplayedState = "delivered" | "dead";

/** `running` until a process has done all of it (`done`), or an operator has ended it (`cancelled`). */
type ReplayJobState = "running" | "done" | "cancelled";

/** A replay job as it is stored. */
export interface ReplayJob {
  readonly id: ReplayJobId;
  /** 1 when it is created; increases by one with each change of this record. */
  readonly revision: number;
  readonly filter: ReplayFilter;
  readonly createdAt: EpochMs;
  readonly state: ReplayJobState;
  /** Present once the job is not running any more. */
  readonly endedAt?: EpochMs;
  /** The number of deliveries that could be replayed when the job was created: the count of its preview. */
  readonly expected: number;
  /** Deliveries that were replayed. */
  readonly replayed: number;
  /**
   * Deliveries that met the filter and could not be replayed: purged, of a destination that is not in the settings, or replayed by others
   * meanwhile.
   */
  readonly skipped: number;
  /** The cursor of the list up to which deliveries are counted above. Absent: from the beginning. */
  readonly after?: string;
  /** The step that is replayed next, or may have been replayed already. Absent: nothing was begun. */
  readonly step?: ReplayJobStep;
  /** The process that carries the job out, under a lease. Absent: no process has taken it yet. */
  readonly holder?: LeaseHolder;
}

/**
 * The next deliveries of a job, one page of the list. It is stored before they are replayed: a process that takes the job over
 * replays those of them that were not, and counts all that still have a body.
 */
export interface ReplayJobStep {
  readonly deliveries: readonly DeliveryId[];
  /** The number of deliveries of the page that could not be replayed. */
  readonly skipped: number;
  /** The cursor of the page that follows. Absent: this page is the last. */
  readonly next?: string;
}
