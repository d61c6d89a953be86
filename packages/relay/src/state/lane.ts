// The data of one lane: the state that decisions read, and the values that keep this state correct. Changed only by
// `Lanes` and the files beside it.

import type { DestinationId, EpochMs, RateLimit } from "@postrider/core";
import { type LaneState, type LaneReadiness, initialPace } from "@postrider/core/engine";

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

export interface Lane extends Mutable<LaneState> {
  readonly lane: DestinationId;
  /** The earliest due time that was set while a claim was under way; the answer to that claim may lack this time. */
  dueMeanwhile: EpochMs | undefined;
  /** The number of the last poll during or after which a delivery was added; undefined if none ever was. */
  grownInPoll: number | undefined;
  /** The number of the last poll that set `deliveries` and `bytes`; 0 if none has. */
  countsFrom: number;
  /**
   * The remainder of the last claim: claimed deliveries that were too few to allow a further retry. The next claim
   * counts them as well.
   */
  carry: number;
  readiness: LaneReadiness["kind"];
}

export interface LaneSettings {
  readonly isOpen: boolean;
  readonly rateLimit: RateLimit | undefined;
}

/** Creates a lane of which nothing is known. */
export function newLane(lane: DestinationId, { isOpen, rateLimit }: LaneSettings, spread: number): Lane {
  return {
    lane,
    isOpen,
    rateLimit,
    tokens: undefined,
    inFlight: 0,
    running: 0,
    isClaiming: false,
    nextDueAt: undefined,
    dueMeanwhile: undefined,
    deliveries: 0,
    bytes: 0,
    grownInPoll: undefined,
    countsFrom: 0,
    pace: initialPace(spread),
    carry: 0,
    readiness: "idle",
  };
}

/** The earlier of two times; undefined if both are. */
export function earlier(one: EpochMs | undefined, other: EpochMs | undefined): EpochMs | undefined {
  if (one === undefined) return other;
  return other === undefined || one <= other ? one : other;
}
