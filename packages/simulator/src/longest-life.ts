// Bounds the time that a simulation may go on after its last fault: a run that takes longer has broken a promise.

import type { DeliveryPolicy } from "@postrider/core";
import { DEFAULT_LOAD } from "./callers.js";
import type { SimulationOptions } from "./simulation.js";

/** The longest time between two probes of a held lane. */
const LONGEST_PROBE_MS = 75_000;
/** How many probes there are for each new delivery: every second one may be a retry. */
const PROBES_EACH = 2;
/** The rounds that a delivery has at most, on average. */
const MOST_ROUNDS = 20;
/** The longest time that a sync takes, with repeats, once the faults are over. */
const MOST_SYNC_MS = 180_000;

/**
 * An upper bound of the time until all deliveries are finished. A delivery may start its window only now, and a clock
 * that was set back extends the window; a rate limit delays each round. If a receiver never recovers, or refuses whatever it gets,
 * the remaining deliveries are tried one by one, each by a probe.
 */
export function longestLife(
  options: SimulationOptions,
  { retryWindowMs, leaseMs, timeoutMs }: DeliveryPolicy,
  pollMs: number,
): number {
  const steps = (options.faults ?? []).map((fault) => (fault.kind === "clock-step" ? Math.max(0, -fault.byMs) : 0));
  const setBackMs = steps.reduce((sum, ms) => sum + ms, 0) + longestSkew(options);
  const calls = (options.load ?? DEFAULT_LOAD).calls + mostChanges(options);
  const probesMs = PROBES_EACH * calls * (LONGEST_PROBE_MS + timeoutMs);
  const slowest = Math.min(Infinity, ...Object.values(options.rateLimits ?? {}).map(({ perSecond }) => perSecond));
  const ratesMs = (calls * MOST_ROUNDS * 1_000) / slowest;
  return (
    longestSyncs(options) +
    probesMs +
    ratesMs +
    retryWindowMs +
    setBackMs +
    3 * leaseMs +
    2 * timeoutMs +
    3 * pollMs +
    60_000
  );
}

/** By how much the clocks of several servers differ in all: each round may wait for as long. */
function longestSkew({ servers = [] }: SimulationOptions): number {
  const each = servers.map(({ aheadMs = 0, faults = [] }) => {
    const steps = faults.map((fault) => (fault.kind === "clock-step" ? Math.abs(fault.byMs) : 0));
    return Math.abs(aheadMs) + steps.reduce((sum, ms) => sum + ms, 0);
  });
  return 2 * MOST_ROUNDS * Math.max(0, ...each);
}

/** An upper bound of the changes and notices that are stored. */
function mostChanges({ audiences = {}, deletions = [], receivers }: SimulationOptions): number {
  const changes = Object.values(audiences).map(({ syncs, users, destinations }) => syncs * users * destinations.length);
  const notices = deletions.map(({ users }) => users.length * Object.keys(receivers).length);
  return [...changes, ...notices].reduce((sum, some) => sum + some, 0);
}

/** An upper bound of the time that the syncs take, each of which may be repeated. */
function longestSyncs({ audiences = {} }: SimulationOptions): number {
  const each = Object.values(audiences).map(({ syncs, firstAtMs, everyMs, users, givesWithinMs = 0 }) => {
    const syncMs = everyMs + 2 * users * givesWithinMs + MOST_SYNC_MS;
    return firstAtMs + syncs * syncMs;
  });
  return Math.max(0, ...each);
}
