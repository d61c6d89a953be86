// The data of one lane: what decisions read, and what keeps it correct. Changed only by `Lanes` and the files beside it.

import type { BoardRow, DestinationId, Detail, EpochMs, LaneFailure, MonoMs, RateLimit } from "@postrider/core";
import {
  defined,
  type EndedRound,
  type LaneOnBoard,
  type LaneReadiness,
  type LaneState,
  type Pace,
  initialPace,
} from "@postrider/core/engine";
import type { LaneMemory } from "./relay-state.js";

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** A lane that several processes share, and what this one knows and has to tell of it. */
export interface SharedLane extends Mutable<LaneOnBoard> {
  /** The row that was merged or written last. */
  row: BoardRow | undefined;
  /** Whether the backoff has changed here since. */
  isOwnBackoff: boolean;
  /** Whether the probe is hastened only since the last one was taken here: not if another process has taken one since. */
  isNextOfOwn: boolean;
}

export interface Lane extends Mutable<LaneState> {
  /** Undefined if the store has no board. */
  onBoard: SharedLane | undefined;
  readonly lane: DestinationId;
  /** Its deliveries that have their last reply, wait for their settlement, and have no slot any more. */
  unsettled: number;
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
  /** The earliest first attempt of its deliveries, as the store told it last; undefined if none was tried. */
  firstAttemptAt: EpochMs | undefined;
  /** When only probes began to be sent; undefined while more are, or if a former relay does not know it. */
  heldAt: MonoMs | undefined;
  /** Whether its receiver has taken a message, as far as this process knows. */
  hasTaken: boolean;
  /** The last round without success; undefined if one has succeeded since. */
  lastFailure: LaneFailure | undefined;
  /** Its deliveries that have died since this process began, other than by a purge. */
  deaths: number;
}

/** A round that has ended, and its detail if it has one. */
export interface LaneRound extends Omit<EndedRound, "inFlight"> {
  readonly detail?: Detail | undefined;
}

/** `held`: its receiver fails or refuses all. `blocked`: the address policy refuses every endpoint. In both, only probes are sent. */
export type LaneCondition = "open" | "held" | "blocked";

export interface LaneSettings {
  readonly isOpen: boolean;
  readonly rateLimit: RateLimit | undefined;
}

/** Creates a lane of which nothing is known. */
export function newLane(lane: DestinationId, { isOpen, rateLimit }: LaneSettings, spread: number): Lane {
  return {
    lane,
    unsettled: 0,
    isOpen,
    rateLimit,
    tokens: undefined,
    onBoard: undefined,
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
    firstAttemptAt: undefined,
    heldAt: undefined,
    hasTaken: false,
    lastFailure: undefined,
    deaths: 0,
  };
}

/** Notes how a round has ended. What says nothing of the receiver has no detail. */
export function noteRoundEnd(lane: Lane, { signal, detail }: Pick<LaneRound, "signal" | "detail">, at: EpochMs): void {
  if (signal === "success") {
    lane.hasTaken = true;
    lane.lastFailure = undefined;
  } else if (signal !== "none" && detail !== undefined) {
    lane.lastFailure = { detail, at, isRefusal: signal !== "failure" };
  }
}

/** Gives a lane another pace. Returns the condition of the lane if that has changed. */
export function setPace(lane: Lane, pace: Pace, now: MonoMs): LaneCondition | undefined {
  const before = conditionOf(lane.pace);
  lane.pace = pace;
  const after = conditionOf(pace);
  if (after === before) return undefined;
  lane.heldAt = after === "open" ? undefined : now;
  return after;
}

function conditionOf({ backoff }: Pace): LaneCondition {
  if (backoff === undefined) return "open";
  return backoff.reason === "blocked" ? "blocked" : "held";
}

/** What is known of a lane, for the relay that takes over. */
export function rememberLane({ lane, pace, deliveries, bytes, carry, ...maybe }: Lane): LaneMemory {
  const { hasTaken, deaths, tokens, nextDueAt, heldAt, lastFailure } = maybe;
  const known = { lane, pace, deliveries, bytes, carry, hasTaken, deaths };
  return { ...known, ...defined({ tokens, nextDueAt, heldAt, lastFailure }) };
}

/** The lane that another relay has known. None of its deliveries is in flight here. */
export function restoreLane(known: LaneMemory, settings: LaneSettings): Lane {
  return { ...newLane(known.lane, settings, known.pace.spread), ...known };
}

/** The earlier of two times; undefined if both are. */
export function earlier(one: EpochMs | undefined, other: EpochMs | undefined): EpochMs | undefined {
  if (one === undefined) return other;
  return other === undefined || one <= other ? one : other;
}
