// Plays a policy on one lane through an outage: core's rounds, schedule, holds, pace and probes over a list of calls, without a store, a
// clock or a relay. Each round is stored at once.

import { DEFAULT_DELIVERY, type DeliveryPolicy } from "@postrider/core";
import { checkDelivery, createOptionsError, watchPolicy } from "@postrider/core/engine";
import type { LaneOutage } from "./outage.js";
import { createCall, createPlayedLane, type PlayedCall, type PlayedDelivery } from "./played-lane.js";
import { createPlayedReceivers } from "./played-receivers.js";
import { endRound, type RunningRound, startRound } from "./played-round.js";

/** The calls that a lane gets: the first one at the start of the outage, each further one `everyMs` later. */
export interface LaneLoad {
  readonly calls: number;
  readonly everyMs: number;
}

/** One call, so that no lane is held. */
export const ONE_CALL: LaneLoad = { calls: 1, everyMs: 1_000 };

/** The policy with its defaults. Throws an `OptionsError` that names each problem. */
export function demandPolicy(functionName: string, policy: Partial<DeliveryPolicy>): DeliveryPolicy {
  const full = { ...DEFAULT_DELIVERY, ...policy };
  const problems = checkDelivery(full, "policy");
  if (problems.length > 0) throw createOptionsError(functionName, problems);
  return full;
}

/** The most requests that are played. */
const MAX_PLAYED_REQUESTS = 100_000;

/**
 * Plays the load, and returns the fate of each call. While nearly all requests fail, the lane is held, and only probes are
 * sent, as by a relay. Stops after `MAX_PLAYED_REQUESTS`; calls that wait then count as dead. Throws an `OptionsError` if the
 * policy or the outage is wrong, and an error with the question and the answer if a schedule fails, or answers one question in two ways.
 */
export function playLane(
  policy: Partial<DeliveryPolicy>,
  outage: LaneOutage,
  load: LaneLoad = ONE_CALL,
): readonly PlayedDelivery[] {
  const full = demandPolicy("playLane", policy);
  demandAnswers(outage);
  const play = createPlay(full, outage);
  const calls = Array.from({ length: load.calls }, (_, index) => createCall(index, index * load.everyMs));
  for (const call of calls) {
    play.advance(call.acceptedMs);
    play.accept(call);
  }
  play.advance(Infinity);
  return calls;
}

function demandAnswers({ endpoints }: LaneOutage): void {
  const isSilent = endpoints.length === 0 || endpoints.some(({ answers }) => answers.length === 0);
  if (isSilent) {
    throw createOptionsError("playLane", [
      { path: "outage.endpoints", expected: "one to five endpoints, each with an answer" },
    ]);
  }
}

interface Play {
  accept(call: PlayedCall): void;
  /** Plays all that happens before this time. */
  advance(untilMs: number): void;
}

function createPlay(policy: DeliveryPolicy, outage: LaneOutage): Play {
  const { startsAt } = outage;
  const mistakes: string[] = [];
  const draw = createDraws(outage.seed);
  const lane = createPlayedLane(draw());
  const receivers = createPlayedReceivers(outage, policy, draw);
  const watched = watchPolicy(policy, ({ text }) => mistakes.push(text));
  const world = { policy: watched, receivers, draw, startsAt };
  const runningRounds: RunningRound[] = [];
  let nowMs = 0;
  let requests = 0;

  function start(call: PlayedCall): void {
    const round = startRound(world, call, nowMs);
    if (!("sent" in round)) {
      lane.end(call, round, nowMs);
      return;
    }
    requests += round.sent.endpoints.length;
    const later = runningRounds.findIndex(({ endsMs }) => endsMs > round.endsMs);
    runningRounds.splice(later < 0 ? runningRounds.length : later, 0, round);
  }

  function end(round: RunningRound): void {
    lane.end(round.call, endRound(world, round), nowMs);
    const [mistake] = mistakes;
    if (mistake !== undefined) throw new Error(mistake);
  }

  /** The next round that ends, or else the next claim. Ends come first, since they free slots. */
  function step(untilMs: number): boolean {
    const [first] = runningRounds;
    const claimMs = lane.nextClaimMs(nowMs);
    const nextMs = Math.min(first?.endsMs ?? Infinity, claimMs ?? Infinity);
    if (nextMs >= untilMs || requests >= MAX_PLAYED_REQUESTS) return false;
    nowMs = nextMs;
    if (first?.endsMs === nextMs) {
      runningRounds.shift();
      end(first);
      return true;
    }
    lane.claim(nowMs).forEach(start);
    return true;
  }

  return {
    accept: (call) => {
      nowMs = call.acceptedMs;
      if (lane.accept(call)) start(call);
    },
    advance: (untilMs) => {
      while (step(untilMs));
    },
  };
}

/** Returns a function whose results, from [0, 1), the seed determines. */
function createDraws(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
