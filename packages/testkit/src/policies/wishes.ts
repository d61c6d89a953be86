// The wishes of users for a policy, as properties for `fc.assert` (decision: wishes of a policy). Each plays drawn outages
// on a lane, and throws a sentence that says what went wrong; fast-check shrinks the outage.

import type { DeliveryPolicy } from "@postrider/core";
import { createOptionsError } from "@postrider/core/engine";
import fc, { type IPropertyWithHooks } from "fast-check";
import {
  demandPolicy,
  type LaneLoad,
  type LaneOutage,
  laneOutages,
  ONE_CALL,
  type PlayedDelivery,
  playLane,
} from "./play-lane.js";

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

/** Each call is delivered, unless the receiver is down for longer than `outageMs`. */
export function survivesOutage(policy: AnyPolicy, wish: OutageWish): PolicyProperty {
  return wished("survivesOutage", policy, wish, (deliveries, outage) => {
    const dead = deliveries.find(({ deliveredMs }) => deliveredMs === undefined);
    if (dead === undefined) return undefined;
    const rounds = `${String(dead.startsMs.length)} ${dead.startsMs.length === 1 ? "try" : "tries"}`;
    const lastMs = (dead.startsMs.at(-1) ?? dead.acceptedMs) - dead.acceptedMs;
    return `down for ${formatMs(outage.lastsMs)}: a call died after ${rounds}, the last one ${formatMs(lastMs)} after it came`;
  });
}

/** Each call that came in during an outage is delivered within `withinMs` of its end. */
export function backWithin(policy: AnyPolicy, wish: OutageWish & { readonly withinMs: number }): PolicyProperty {
  demandNumber("backWithin", "withinMs", wish.withinMs);
  return wished("backWithin", policy, wish, (deliveries, { lastsMs }) => {
    const waited = deliveries.filter(({ acceptedMs }) => acceptedMs < lastsMs);
    const lateMs = Math.max(0, ...waited.map(({ deliveredMs = Infinity }) => deliveredMs - lastsMs));
    if (lateMs <= wish.withinMs) return undefined;
    const back = `back after ${formatMs(lastsMs)}`;
    const limit = `not within ${formatMs(wish.withinMs)}`;
    if (lateMs === Infinity) return `${back}: a call was never delivered, ${limit}`;
    return `${back}: the last call was delivered ${formatMs(lateMs)} later, ${limit}`;
  });
}

/** The calls of the load need at most `requests` requests each, on average. */
export function atMostRequests(policy: AnyPolicy, wish: OutageWish & { readonly requests: number }): PolicyProperty {
  demandNumber("atMostRequests", "requests", wish.requests);
  return wished("atMostRequests", policy, wish, (deliveries, { lastsMs }) => {
    const mean = deliveries.reduce((sum, { startsMs }) => sum + startsMs.length, 0) / deliveries.length;
    if (mean <= wish.requests) return undefined;
    const each = `${String(Math.ceil(mean * 100) / 100)} requests for each call`;
    return `down for ${formatMs(lastsMs)}: ${each}, not at most ${String(wish.requests)}`;
  });
}

/**
 * Of the calls that came in before an outage ended, the number that is tried in any one second after it is at most `share` (from 0 to 1)
 * of all calls of the load.
 */
export function noStampede(policy: AnyPolicy, wish: OutageWish & { readonly share: number }): PolicyProperty {
  demandNumber("noStampede", "share", wish.share);
  return wished("noStampede", policy, wish, (deliveries, { lastsMs }) => {
    const waited = deliveries.filter(({ acceptedMs }) => acceptedMs < lastsMs);
    const most = fullestSecond(waited.flatMap(({ startsMs }) => startsMs.filter((startMs) => startMs >= lastsMs)));
    if (most <= wish.share * deliveries.length) return undefined;
    const tried = `${String(most)} of ${String(deliveries.length)} calls were tried in one second`;
    return `back after ${formatMs(lastsMs)}: ${tried}, not at most ${String(Math.floor(wish.share * deliveries.length))}`;
  });
}

/**
 * The second try of each call comes within `withinMs` of the end of its first one. Outages of up to the
 * retry window are drawn; one of 0 ms proves nothing.
 */
export function firstRetryWithin(policy: AnyPolicy, wish: { readonly withinMs: number }): PolicyProperty {
  demandNumber("firstRetryWithin", "withinMs", wish.withinMs);
  const { retryWindowMs } = demandPolicy("firstRetryWithin", policy);
  return wished("firstRetryWithin", policy, { outageMs: retryWindowMs }, ([first], { lastsMs, tookMs }) => {
    const [firstMs = 0, secondMs] = first?.startsMs ?? [];
    if (lastsMs === 0 || (secondMs !== undefined && secondMs - firstMs - tookMs <= wish.withinMs)) return undefined;
    const limit = `not within ${formatMs(wish.withinMs)}`;
    if (secondMs === undefined) return `the first try failed: there was no second one, ${limit}`;
    return `the first try failed: the second one came ${formatMs(secondMs - firstMs - tookMs)} later, ${limit}`;
  });
}

/** A receiver that is down for the whole window gets a call at least `rounds` times. The default policy promises 12. */
export function atLeastRounds(policy: AnyPolicy, wish: { readonly rounds: number }): PolicyProperty {
  demandNumber("atLeastRounds", "rounds", wish.rounds);
  const { retryWindowMs } = demandPolicy("atLeastRounds", policy);
  // The drawn outage lasts 0 ms and is left alone: its `tookMs` and `seed` are played with an outage of twice the window.
  return wished("atLeastRounds", policy, { outageMs: 0 }, (_, { tookMs, seed }) => {
    const [only] = playLane(policy, { lastsMs: 2 * retryWindowMs, tookMs, seed });
    const rounds = only?.startsMs.length ?? 0;
    if (rounds >= wish.rounds) return undefined;
    return `down for the whole window of ${formatMs(retryWindowMs)}: ${String(rounds)} tries, not at least ${String(wish.rounds)}`;
  });
}

/** Answers what is wrong, in a sentence. */
type Judge = (deliveries: readonly PlayedDelivery[], outage: LaneOutage) => string | undefined;

function wished(
  name: string,
  policy: AnyPolicy,
  { outageMs, load = ONE_CALL }: OutageWish,
  judge: Judge,
): PolicyProperty {
  demandNumber(name, "outageMs", outageMs);
  demandNumber(name, "load.everyMs", load.everyMs);
  if (!Number.isSafeInteger(load.calls) || load.calls < 1) {
    throw createOptionsError(name, [{ path: "load.calls", expected: "a whole number, 1 or more" }]);
  }
  const { timeoutMs } = demandPolicy(name, policy);
  return fc.property(laneOutages(Math.floor(outageMs), Math.floor(timeoutMs)), (outage) => {
    const wrong = judge(playLane(policy, outage, load), outage);
    if (wrong !== undefined) throw new Error(wrong);
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
