// What is remembered of one lane: what its decisions see of it, and what is needed to keep that true. Changed only by
// `Lanes` and the files beside it.

import type { DestinationId, EpochMs, RateLimit } from "@postrider/core";
import { type LaneState, type LaneReadiness, initialPace } from "@postrider/core/engine";

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

export interface Lane extends Mutable<LaneState> {
  readonly lane: DestinationId;
  /** Due times heard of while a claim was out; its answer cannot know of them. */
  heardMeanwhile: EpochMs | undefined;
  /** The number of the poll in which, or after which, it has last grown; undefined if never. */
  grownInPoll: number | undefined;
  /** The number of the poll that has last set `deliveries` and `bytes`; 0 if none has. */
  countsFrom: number;
  /** What was left over of the share of retries. */
  carry: number;
  stands: LaneReadiness["kind"];
}

export interface LaneTerms {
  readonly isOpen: boolean;
  readonly rateLimit: RateLimit | undefined;
}

/** A lane of which nothing is known. */
export function newLane(lane: DestinationId, { isOpen, rateLimit }: LaneTerms, spread: number): Lane {
  return {
    lane,
    isOpen,
    rateLimit,
    tokens: undefined,
    inFlight: 0,
    running: 0,
    isClaiming: false,
    nextDueAt: undefined,
    heardMeanwhile: undefined,
    deliveries: 0,
    bytes: 0,
    grownInPoll: undefined,
    countsFrom: 0,
    pace: initialPace(spread),
    carry: 0,
    stands: "idle",
  };
}

export function earlier(one: EpochMs | undefined, other: EpochMs | undefined): EpochMs | undefined {
  if (one === undefined) return other;
  return other === undefined || one <= other ? one : other;
}
