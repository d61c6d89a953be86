// One lane as a relay with free slots would run it: which calls start, and what the end of a round does to the pace. Every
// decision is core's; here is only the bookkeeping.

import { type DeliveryId, deliveryId, destinationId, type EpochMs, epochMs, monoMs } from "@postrider/core";
import {
  afterRound,
  initialPace,
  type LaneState,
  MAX_IN_FLIGHT,
  MAX_LANE_BYTES,
  MAX_LANE_DELIVERIES,
  probeRetries,
  readinessOf,
  type RoundDelivery,
  type RoundSignal,
  shareRetries,
  startDelivery,
  usableSlots,
} from "@postrider/core/engine";

/** The fate of a call. Times in milliseconds from the start of the outage. */
export interface PlayedDelivery {
  readonly acceptedMs: number;
  readonly rounds: readonly PlayedRound[];
  /** Undefined if it is dead. */
  readonly deliveredMs: number | undefined;
  /** True if it is dead because every endpoint has refused it for good: no policy would have delivered it. */
  readonly isRefused: boolean;
}

/** A round of a call: a request to each endpoint that may get one. */
export interface PlayedRound {
  readonly startMs: number;
  readonly endMs: number;
  /**
   * The round could not start before this, whatever the policy: a receiver had asked for a hold by `Retry-After`, or had refused the call for
   * the first time. 0 if neither.
   */
  readonly notBeforeMs: number;
  /** True if core alone placed the round, after a first refusal: no schedule was asked. */
  readonly isConfirmation: boolean;
}

/** A call under way. */
export interface PlayedCall extends PlayedDelivery {
  readonly id: DeliveryId;
  readonly rounds: PlayedRound[];
  /** The part that a relay would have stored. */
  stored: RoundDelivery;
  dueMs: number;
  /** Of its next round. */
  notBeforeMs: number;
  isConfirmation: boolean;
  deliveredMs: number | undefined;
  isRefused: boolean;
}

/** The end of a claim. */
export interface ClaimEnd {
  readonly signal: RoundSignal;
  /** True if no round of the call was recorded before. */
  readonly isFirst: boolean;
  /** The call waits for another round. It is over if absent. */
  readonly dueMs?: number;
}

export interface PlayedLane {
  /** Takes a call. Returns whether its first round starts at once. */
  accept(call: PlayedCall): boolean;
  /** From when on calls can be claimed; undefined if none waits, or no slot is free. */
  nextClaimMs(nowMs: number): number | undefined;
  /** Takes the calls whose rounds start now. */
  claim(nowMs: number): readonly PlayedCall[];
  end(call: PlayedCall, claim: ClaimEnd, nowMs: number): void;
}

const LANE = destinationId("lane");
const BOUNDS = { maxDeliveries: MAX_LANE_DELIVERIES, maxBytes: MAX_LANE_BYTES };

/** `spread`, from [0, 1), keeps the probes of many lanes apart. */
export function createPlayedLane(spread: number): PlayedLane {
  let pace = initialPace(spread);
  let carry = 0;
  let inFlight = 0;
  let waitingCalls: PlayedCall[] = [];

  function state(): LaneState {
    return {
      lane: LANE,
      isOpen: true,
      deliveries: waitingCalls.length + inFlight,
      bytes: 0,
      inFlight,
      running: inFlight,
      isClaiming: false,
      nextDueAt: waitingCalls.length === 0 ? undefined : epochMs(Math.min(...waitingCalls.map(({ dueMs }) => dueMs))),
      pace,
      rateLimit: undefined,
      tokens: undefined,
    };
  }

  /** Takes up to `limit` due calls of a kind, earliest due first. */
  function take(limit: number, now: EpochMs, isWanted: (call: PlayedCall) => boolean): readonly PlayedCall[] {
    const dueCalls = waitingCalls
      .filter((call) => call.dueMs <= now && isWanted(call))
      .sort((one, other) => one.dueMs - other.dueMs);
    const batch = new Set(dueCalls.slice(0, limit));
    waitingCalls = waitingCalls.filter((call) => !batch.has(call));
    return [...batch];
  }

  function claimUpTo(limit: number, now: EpochMs): readonly PlayedCall[] {
    const share = pace.backoff === undefined ? shareRetries(limit, carry) : undefined;
    if (share !== undefined) carry = share.carry;
    const retries = share === undefined && pace.backoff !== undefined ? probeRetries(pace.backoff) : share?.retries;
    if (retries === undefined) return take(limit, now, () => true);
    const tried = take(retries, now, ({ stored }) => stored.rounds > 0);
    const untried = take(limit - retries, now, ({ stored }) => stored.rounds === 0);
    return [...tried, ...untried, ...take(limit - tried.length - untried.length, now, () => true)];
  }

  return {
    accept: (call) => {
      const nowMs = epochMs(call.acceptedMs);
      const free = MAX_IN_FLIGHT - inFlight;
      const arrival = { lane: state(), bounds: BOUNDS, free, isContended: false, at: monoMs(nowMs) };
      const startsNow = startDelivery(arrival, 1, nowMs).kind === "claimed" && inFlight < pace.limit;
      if (startsNow) inFlight += 1;
      else waitingCalls.push(call);
      return startsNow;
    },
    nextClaimMs: (nowMs) => claimableAt(state(), nowMs),
    claim: (nowMs) => {
      const claimed = claimUpTo(usableSlots(state(), monoMs(nowMs)), epochMs(nowMs));
      inFlight += claimed.length;
      return claimed;
    },
    end: (call, { signal, isFirst, dueMs }, nowMs) => {
      pace = afterRound(pace, { delivery: call.id, isFirst, signal, inFlight }, monoMs(nowMs));
      inFlight -= 1;
      if (dueMs === undefined) return;
      call.dueMs = dueMs;
      waitingCalls.push(call);
    },
  };
}

/** The later of two times: a call is due, and the lane may send. Undefined if no call waits, or no slot is free. */
function claimableAt(lane: LaneState, atMs: number): number | undefined {
  const readiness = readinessOf(lane, { wall: epochMs(atMs), monotonic: monoMs(atMs), free: MAX_IN_FLIGHT });
  switch (readiness.kind) {
    case "ready":
      return atMs;
    case "due":
      return claimableAt(lane, readiness.at);
    case "paused":
      return claimableAt(lane, readiness.until);
    case "idle":
    case "asking":
    case "crowded":
      return undefined;
  }
}

export function createCall(number: number, acceptedMs: number): PlayedCall {
  const id = deliveryId(String(number));
  const stored = { rounds: 0, endpoints: [] };
  const fate = { rounds: [], deliveredMs: undefined, isRefused: false };
  return { id, acceptedMs, stored, dueMs: acceptedMs, notBeforeMs: 0, isConfirmation: false, ...fate };
}
