// The part of a delivery store by which several processes act as one towards each receiver: the living processes, and one row for each lane
// with news that all must know. The store decides nothing: core decides the content of a row.

import type { DestinationId, EndpointId, EpochMs, ProcessId } from "../ids.js";

/**
 * The facts that the processes of a store share with each other. Nothing here is needed to deliver: without an answer of the board, they
 * act by their latest state. Rows come back as they were written, apart from the order of `holds`.
 */
export interface LaneBoard {
  /**
   * One commit: the process lives at `now`, and has announced this share; processes that do not live any more are removed. Answers with
   * those that live, and a page of the rows that have changed. Of two beats, at least one sees the announcement of the other.
   */
  beat(request: BeatRequest, now: EpochMs): Promise<BoardNews>;
  /**
   * One commit: writes each row whose revision is one higher than that of the stored row of its lane, or 1 if none is stored.
   * Answers, for each given row that was not written, with the stored row of its lane, if there is one. No lane is named twice.
   */
  write(rows: readonly BoardRow[]): Promise<readonly BoardRow[]>;
  /** One commit: the process does not live any more. Changes nothing if it is not known. */
  leave(process: ProcessId): Promise<void>;
}

/** The sign of life of a process, and its request for news. */
export interface BeatRequest {
  readonly process: ProcessId;
  /** The part of each lane's limit that it has announced, from 0 to 1. */
  readonly share: number;
  /** A process lives if its last sign of life differs from now by at most this, in either direction. */
  readonly liveForMs: number;
  /** The `next` of the previous answer. Absent: all rows are asked for. */
  readonly since?: string;
  /** Most rows of one page. */
  readonly limit: number;
}

/** The living processes, and the changed rows. */
export interface BoardNews {
  /** All processes that live, the asking one included, in any order. */
  readonly processes: readonly BoardProcess[];
  /**
   * Rows that have changed, in any order; of each its latest state. Unchanged rows may be among them: to merge those has no effect. Every
   * change that took effect after the answer of which `since` was the `next` is in this page or in a later one.
   */
  readonly rows: readonly BoardRow[];
  /** The cursor for the next request. Opaque. */
  readonly next: string;
  /** True if there may be further rows now. */
  readonly more: boolean;
}

/** A process that lives. */
export interface BoardProcess {
  readonly process: ProcessId;
  readonly share: number;
}

/** The state of one lane that all processes must know. Instants are those of the store's clock. */
export interface BoardRow {
  readonly lane: DestinationId;
  /** 1 at first, and one more with each change. */
  readonly revision: number;
  /** The number of deliveries that all processes together may have in flight. Absent: as many as a lane has at first. */
  readonly limit?: number;
  /** Present while its receiver fails: only probes are sent. */
  readonly backoff?: BoardBackoff;
  /** The rest of its rate limit. Absent: nothing was taken yet. */
  readonly tokens?: BoardTokens;
  /** The ends of the holds for which endpoints have asked by `Retry-After`: at most `MAX_BOARD_HOLDS`, each endpoint once. */
  readonly holds: readonly BoardHold[];
}

/** The backoff of a lane, as all processes know it. */
export interface BoardBackoff {
  /** The number of probes that have failed. */
  readonly probes: number;
  /** The instant at which the next probe may be taken by one of the processes. */
  readonly probeAt: EpochMs;
  /** The process that has taken the last probe, until it reports the result. */
  readonly prober?: ProcessId;
}

/** The tokens of a rate limit that were left at an instant, which no process has taken yet. */
export interface BoardTokens {
  readonly left: number;
  readonly at: EpochMs;
}

/** The hold of one endpoint. */
export interface BoardHold {
  readonly endpoint: EndpointId;
  readonly until: EpochMs;
}
