// The wishes of users for a policy, as properties for `fc.assert` (decision: wishes of a policy). Each plays drawn outages
// on a lane, and throws a sentence that says what went wrong; fast-check shrinks the outage.

import type { DeliveryPolicy } from "@postrider/core";
import { createOptionsError } from "@postrider/core/engine";
import fc, { type IPropertyWithHooks } from "fast-check";
import { demandAnyQuestion } from "./ask-everything.js";
import { type DrawnOutages, type LaneOutage, laneOutages } from "./outage.js";
import { demandPolicy, type LaneLoad, ONE_CALL, playLane } from "./play-lane.js";
import type { PlayedDelivery, PlayedRound } from "./played-lane.js";

/** A policy, or the settings that differ from the default: what `delivery` of the settings takes. */
type AnyPolicy = Partial<DeliveryPolicy>;

/** A property for `fc.assert`. */
export type PolicyProperty = IPropertyWithHooks<[LaneOutage]>;

/** The outages that a wish is about. */
export interface OutageWish {
  /** The longest outage, in milliseconds: every outage up to this is drawn. */
  readonly outageMs: number;
  /** The calls of the lane; one call if absent. With many, a lane whose receiver fails is held, as in production. */
  readonly load?: LaneLoad;
}

/** Each call is delivered, unless the receivers are down for longer than `outageMs`, or refuse the call for good. */
export function survivesOutage(policy: AnyPolicy, wish: OutageWish): PolicyProperty {
  return wished("survivesOutage", policy, wish, (deliveries, outage) => {
    const dead = deliveries.find(({ deliveredMs, isRefused }) => deliveredMs === undefined && !isRefused);
    if (dead === undefined) return undefined;
    const tries = `${String(dead.rounds.length)} ${dead.rounds.length === 1 ? "try" : "tries"}`;
    const lastMs = (dead.rounds.at(-1)?.startMs ?? dead.acceptedMs) - dead.acceptedMs;
    return `down for ${formatMs(outage.lastsMs)}: a call died after ${tries}, the last one ${formatMs(lastMs)} after it came`;
  });
}

/**
 * Each call that came in during an outage is delivered within `withinMs` of its end; where a receiver asked for a later time by
 * `Retry-After`, within `withinMs` of that.
 */
export function backWithin(policy: AnyPolicy, wish: OutageWish & { readonly withinMs: number }): PolicyProperty {
  demandNumber("backWithin", "withinMs", wish.withinMs);
  return wished("backWithin", policy, wish, (deliveries, { lastsMs }) => {
    const waited = deliveries.filter(({ acceptedMs, isRefused }) => acceptedMs < lastsMs && !isRefused);
    const lateMs = Math.max(0, ...waited.map((delivery) => lagOf(delivery, lastsMs)));
    if (lateMs <= wish.withinMs) return undefined;
    const back = `back after ${formatMs(lastsMs)}`;
    const limit = `not within ${formatMs(wish.withinMs)}`;
    if (lateMs === Infinity) return `${back}: a call was never delivered, ${limit}`;
    return `${back}: the last call was delivered ${formatMs(lateMs)} later, ${limit}`;
  });
}

function lagOf({ deliveredMs = Infinity, rounds }: PlayedDelivery, lastsMs: number): number {
  return deliveredMs - Math.max(lastsMs, rounds.at(-1)?.notBeforeMs ?? 0);
}

/**
 * The calls of the load need at most `requests` requests to an endpoint each, on average. The second request after a first refusal does not
 * count, since no policy decides it.
 */
export function atMostRequests(policy: AnyPolicy, wish: OutageWish & { readonly requests: number }): PolicyProperty {
  demandNumber("atMostRequests", "requests", wish.requests);
  return wished("atMostRequests", policy, wish, (deliveries, { lastsMs }) => {
    const decided = deliveries.flatMap(({ rounds }) => rounds.filter(({ isConfirmation }) => !isConfirmation));
    const mean = decided.length / deliveries.length;
    if (mean <= wish.requests) return undefined;
    const each = `${String(Math.ceil(mean * 100) / 100)} requests for each call`;
    return `down for ${formatMs(lastsMs)}: ${each}, not at most ${String(wish.requests)}`;
  });
}

/**
 * Of the calls that came in before an outage ended, the number that is tried in any one second after it is at most `share` (from 0 to 1)
 * of all calls of the load. No receiver sends a `Retry-After`, which would name the second.
 */
export function noStampede(policy: AnyPolicy, wish: OutageWish & { readonly share: number }): PolicyProperty {
  demandNumber("noStampede", "share", wish.share);
  return wished("noStampede", policy, { ...wish, hasRetryAfter: false }, (deliveries, { lastsMs }) => {
    const waited = deliveries.filter(({ acceptedMs }) => acceptedMs < lastsMs);
    const startsMs = waited.flatMap(({ rounds }) => rounds.map(({ startMs }) => startMs));
    const most = fullestSecond(startsMs.filter((startMs) => startMs >= lastsMs));
    if (most <= wish.share * deliveries.length) return undefined;
    const tried = `${String(most)} of ${String(deliveries.length)} calls were tried in one second`;
    return `back after ${formatMs(lastsMs)}: ${tried}, not at most ${String(Math.floor(wish.share * deliveries.length))}`;
  });
}

/** The calls that fail together, where retries are to be spread. */
const SPREAD_CALLS = 100;

/**
 * Calls to many destinations of one receiver, which fail together, are not tried again together: of their first, second and each further
 * retries, at most `share` (from 0 to 1) comes in any one second. Each call is alone on its lane, so that only jitter spreads them. A retry
 * right at the end of a hold by `Retry-After` does not count: the hold has jitter already. Outages of up to the retry window are drawn.
 */
export function spreadsRetries(policy: AnyPolicy, wish: { readonly share: number }): PolicyProperty {
  demandNumber("spreadsRetries", "share", wish.share);
  const { retryWindowMs } = demandPolicy("spreadsRetries", policy);
  return wished("spreadsRetries", policy, { outageMs: retryWindowMs }, (_, outage) => {
    const deliveries = Array.from({ length: SPREAD_CALLS }, (_call, index) => {
      return playLane(policy, { ...outage, seed: outage.seed + index })[0]?.rounds ?? [];
    });
    const most = wish.share * SPREAD_CALLS;
    for (let retry = 1; deliveries.some((rounds) => rounds.length > retry); retry += 1) {
      const decided = deliveries.flatMap((rounds) => rounds[retry] ?? []).filter(isDecided);
      const together = fullestSecond(decided.map(({ startMs }) => startMs));
      if (together <= most) continue;
      const tried = `${String(together)} of ${String(SPREAD_CALLS)} calls that failed together were tried again in one second`;
      return `retry ${String(retry)}: ${tried}, not at most ${String(Math.floor(most))}`;
    }
    return undefined;
  });
}

/** True if the policy decided when the round starts, and not core or a hold. */
function isDecided({ startMs, notBeforeMs, isConfirmation }: PlayedRound): boolean {
  return !isConfirmation && startMs > notBeforeMs;
}

/**
 * The second try of each call comes within `withinMs` of the end of its first one; of the end of a hold, where a `Retry-After` asked for
 * one. Not judged after a refusal, whose retry comes after a fixed time. Outages of up to the retry window are drawn.
 */
export function firstRetryWithin(policy: AnyPolicy, wish: { readonly withinMs: number }): PolicyProperty {
  demandNumber("firstRetryWithin", "withinMs", wish.withinMs);
  const { retryWindowMs } = demandPolicy("firstRetryWithin", policy);
  return wished("firstRetryWithin", policy, { outageMs: retryWindowMs }, ([only], { lastsMs }) => {
    const [first, second] = only?.rounds ?? [];
    if (first === undefined || lastsMs === 0 || only?.isRefused === true) return undefined;
    const limit = `not within ${formatMs(wish.withinMs)}`;
    if (second === undefined) return `the first try failed: there was no second one, ${limit}`;
    const lateMs = gapBetween(first, second);
    return lateMs <= wish.withinMs
      ? undefined
      : `the first try failed: the second one came ${formatMs(lateMs)} later, ${limit}`;
  });
}

/** The time that the policy left between two rounds. */
function gapBetween({ endMs }: PlayedRound, { startMs, notBeforeMs }: PlayedRound): number {
  return startMs - Math.max(endMs, notBeforeMs);
}

/**
 * A receiver that is down for the whole window gets a call at least `rounds` times, unless it refuses the call for good. The default policy
 * promises 12.
 */
export function atLeastRounds(policy: AnyPolicy, wish: { readonly rounds: number }): PolicyProperty {
  demandNumber("atLeastRounds", "rounds", wish.rounds);
  const { retryWindowMs } = demandPolicy("atLeastRounds", policy);
  const outages = { minMs: 2 * retryWindowMs, outageMs: 2 * retryWindowMs };
  return wished("atLeastRounds", policy, outages, ([only]) => {
    const rounds = only?.rounds.length ?? 0;
    if (rounds >= wish.rounds || only?.isRefused === true) return undefined;
    return `down for the whole window of ${formatMs(retryWindowMs)}: ${String(rounds)} tries, not at least ${String(wish.rounds)}`;
  });
}

/** Answers what is wrong, in a sentence. */
type Judge = (deliveries: readonly PlayedDelivery[], outage: LaneOutage) => string | undefined;

/** The outages that a wish draws, and the load that it plays. */
interface Wish extends OutageWish, Pick<DrawnOutages, "minMs" | "hasRetryAfter"> {}

function wished(name: string, policy: AnyPolicy, wish: Wish, judge: Judge): PolicyProperty {
  const { outageMs, load = ONE_CALL } = wish;
  demandNumber(name, "outageMs", outageMs);
  demandNumber(name, "load.everyMs", load.everyMs);
  if (!Number.isSafeInteger(load.calls) || load.calls < 1) {
    throw createOptionsError(name, [{ path: "load.calls", expected: "a whole number, 1 or more" }]);
  }
  const full = demandPolicy(name, policy);
  const check = (outage: LaneOutage): void => {
    demandAnyQuestion(full);
    const wrong = judge(playLane(full, outage, load), outage);
    if (wrong !== undefined) throw new Error(wrong);
  };
  return fc.property(withSentence(laneOutages({ ...wish, maxMs: outageMs, timeoutMs: full.timeoutMs }), check), check);
}

/** Prints an outage with the sentence that it fails with: the message of fast-check's error has the printed outage, and not the sentence. */
function withSentence(
  outages: fc.Arbitrary<LaneOutage>,
  check: (outage: LaneOutage) => void,
): fc.Arbitrary<LaneOutage> {
  return outages.map((outage) => {
    const printed = (): string => {
      try {
        check(outage);
        return JSON.stringify(outage);
      } catch (error) {
        return `${JSON.stringify(outage)}, since ${error instanceof Error ? error.message : String(error)}`;
      }
    };
    return Object.defineProperty(outage, fc.toStringMethod, { value: printed, enumerable: false });
  });
}

function demandNumber(functionName: string, path: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw createOptionsError(functionName, [{ path, expected: "a number, 0 or more" }]);
}

/** The most times within any second. */
function fullestSecond(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  let first = 0;
  let most = 0;
  for (const [last, at] of sorted.entries()) {
    while ((sorted[first] ?? at) <= at - 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

const UNITS = [
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** `1.4 h`, `25 min`, `37 ms`. */
function formatMs(ms: number): string {
  // Minutes are easier to compare than fractions of an hour.
  const unit = UNITS.find(([name, unitMs]) => ms >= (name === "h" ? 2 : 1) * unitMs);
  return unit === undefined ? `${String(ms)} ms` : `${String(Math.round((ms / unit[1]) * 10) / 10)} ${unit[0]}`;
}
