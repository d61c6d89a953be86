// One lane as a relay with free slots would run it: which calls start, and what the end of a round does to the pace. Every
// decision is core's; here is only the bookkeeping. Must not know the policy or the receiver.

import {
  type DeliveryId,
  deliveryId,
  destinationId,
  endpointId,
  type EpochMs,
  epochMs,
  monoMs,
  type RetryHistory,
} from "@postrider/core";
import {
  afterRound,
  initialPace,
  type LaneState,
  MAX_IN_FLIGHT,
  MAX_LANE_BYTES,
  MAX_LANE_DELIVERIES,
  probeRetries,
  readinessOf,
  shareRetries,
  startDelivery,
  usableSlots,
} from "@postrider/core/engine";

/** A call under way. Times in milliseconds. */
export interface PlayedCall {
  readonly id: DeliveryId;
  readonly acceptedMs: number;
  readonly startsMs: number[];
  dueMs: number;
  deliveredMs: number | undefined;
}

export interface PlayedLane {
  /** Takes a call. Returns whether its first round starts at once. */
  accept(call: PlayedCall): boolean;
  /** From when on calls can be claimed; undefined if none waits, or no slot is free. */
  nextClaimMs(nowMs: number): number | undefined;
  /** Takes the calls whose rounds start now. */
  claim(nowMs: number): readonly PlayedCall[];
  /** Ends a round. With `dueMs`, the call waits for another one. */
  end(call: PlayedCall, round: { readonly isSuccess: boolean; readonly dueMs?: number }, nowMs: number): void;
  /** Removes waiting calls. */
  drop(isOver: (call: PlayedCall) => boolean): void;
}

const LANE = destinationId("lane");
const ENDPOINT = endpointId("https://receiver.example/");
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
    const tried = take(retries, now, ({ startsMs }) => startsMs.length > 0);
    const untried = take(limit - retries, now, ({ startsMs }) => startsMs.length === 0);
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
    end: (call, { isSuccess, dueMs }, nowMs) => {
      const isFirst = call.startsMs.length === 1;
      const signal = isSuccess ? "success" : "failure";
      pace = afterRound(pace, { delivery: call.id, isFirst, signal, inFlight }, monoMs(nowMs));
      inFlight -= 1;
      if (dueMs === undefined) return;
      Object.assign(call, { dueMs });
      waitingCalls.push(call);
    },
    drop: (isOver) => {
      waitingCalls = waitingCalls.filter((call) => !isOver(call));
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
  return { id: deliveryId(String(number)), acceptedMs, startsMs: [], dueMs: acceptedMs, deliveredMs: undefined };
}

/** The input of a schedule for a call whose round has just failed with 503. */
export function historyOf({ startsMs }: PlayedCall, startedMs: number): RetryHistory {
  return {
    rounds: startsMs.length,
    firstAttemptAt: epochMs(startsMs[0] ?? startedMs),
    roundStartedAt: epochMs(startedMs),
    attempts: [{ endpoint: ENDPOINT, result: { kind: "answered", status: 503 }, verdict: "retry" }],
  };
}
