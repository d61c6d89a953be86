// The data of one lane: what decisions read, and what keeps it correct; and the entries of a lane, one for each unfinished delivery.
// Changed only by `Lanes` and the files beside it. Only the store has the true counts. An entry ends once, when its delivery is
// finished or was not stored, and outlasts its rounds; a slot is separate: it ends with each round.

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
import type { LaneMemory } from "../relay-state.js";

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** The state of a lane that several processes share, as this one knows it. */
export interface SharedLane extends Mutable<LaneOnBoard> {
  /** The row that was merged or written last. */
  row: BoardRow | undefined;
  /** True if the backoff has changed here since. */
  isOwnBackoff: boolean;
  /** True if the probe is hastened only because the last one, which was taken here, said nothing of the receiver. */
  isAfterOwnProbe: boolean;
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
  /** The instant since which only probes are sent; undefined while more are, or if a former relay does not know it. */
  heldAt: MonoMs | undefined;
  /** True if its receiver has taken a message, as far as this process knows. */
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

/** The terms of a lane in settings and pauses. */
interface LaneTerms {
  readonly isOpen: boolean;
  readonly rateLimit: RateLimit | undefined;
}

/** Creates a lane of which nothing is known. */
export function newLane(lane: DestinationId, { isOpen, rateLimit }: LaneTerms, spread: number): Lane {
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

/** Notes the end of a round. A round that says nothing of the receiver has no detail. */
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

/** The memory of a lane, for the relay that takes over. */
export function rememberLane(remembered: Lane): LaneMemory {
  const { lane, pace, deliveries, bytes, carry, hasTaken, deaths } = remembered;
  const { tokens, nextDueAt, heldAt, lastFailure } = remembered;
  const always = { lane, pace, deliveries, bytes, carry, hasTaken, deaths };
  return { ...always, ...defined({ tokens, nextDueAt, heldAt, lastFailure }) };
}

/** The lane that another relay has known. None of its deliveries is in flight here. */
export function restoreLane(known: LaneMemory, terms: LaneTerms): Lane {
  return { ...newLane(known.lane, terms, known.pace.spread), ...known };
}

/** The earlier of two times; undefined if both are. */
export function earlier(first: EpochMs | undefined, second: EpochMs | undefined): EpochMs | undefined {
  if (first === undefined) return second;
  return second === undefined || first <= second ? first : second;
}

/**
 * Only the functions of this file read or change an entry. It has no methods, to save memory: each unfinished delivery has an
 * entry.
 */
export interface LaneEntry {
  readonly lane: Lane;
  readonly bytes: number;
  isOpen: boolean;
}

/** The entry of a delivery that is about to be stored. */
export interface NewEntry extends LaneEntry {
  /** The poll whose counts the lane had when the entry was added. */
  readonly countsFrom: Lane["countsFrom"];
}

/** Counts a delivery that is about to be stored. */
export function addEntry(lane: Lane, bytes: number, poll: number): NewEntry {
  lane.grownInPoll = poll;
  lane.deliveries += 1;
  lane.bytes += bytes;
  return { lane, bytes, countsFrom: lane.countsFrom, isOpen: true };
}

/** The entry of a delivery that is in the store, and so is already counted. */
export function storedEntry(lane: Lane, bytes: number): LaneEntry {
  return { lane, bytes, isOpen: true };
}

/** Ends the entry: the delivery is finished. */
export function finishEntry(entry: LaneEntry): void {
  end(entry);
  uncount(entry);
}

/** Ends the entry: the delivery was not stored. */
export function withdrawEntry(entry: NewEntry): void {
  end(entry);
  // If a poll has replaced the counts since the entry was added, the new counts never included the delivery: nothing is subtracted.
  if (entry.lane.countsFrom === entry.countsFrom) uncount(entry);
}

/** Not below 0: a delivery that another process stored, or a replay, may end before a poll has counted it, or its bytes. */
function uncount({ lane, bytes }: LaneEntry): void {
  lane.deliveries = Math.max(0, lane.deliveries - 1);
  lane.bytes = Math.max(0, lane.bytes - bytes);
}

function end(entry: LaneEntry): void {
  if (!entry.isOpen) throw new Error("bug: an entry of a lane ends twice");
  entry.isOpen = false;
}
