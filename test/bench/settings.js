// What a run of the benchmarks may be told from outside. The figures of docs/benchmarks.md are made with none of it set.

import { availableParallelism } from "node:os";

const { env } = process;

/** How often everything is measured; ratios are taken within a round. */
export const ROUNDS = Number(env.BENCH_ROUNDS ?? 9);
/** How long each arm runs in each round, and how long it runs before that, unmeasured. Milliseconds. */
export const RUN_MS = Number(env.BENCH_RUN_MS ?? 5_000);
export const WARM_UP_MS = Number(env.BENCH_WARM_UP_MS ?? 1_500);
/** Which arms take part, by name, with commas between; all if absent. */
export const ARMS = env.BENCH_ARMS?.split(",");

/** Calls of one request to the way in, where it is not one by one. */
export const BATCH = 20;
/** Connections that bring them, each of which waits for its answer. */
export const CALLERS = Number(env.BENCH_CALLERS ?? 16);
/** Calls that have been made and not yet been delivered, at most: what comes in keeps step with what goes out. */
export const WINDOW = Number(env.BENCH_WINDOW ?? 2_000);
/** POSTs of a peer under way at once. */
export const CONCURRENCY = 64;
/** What the bare loop is tried with. */
export const BARE_CONNECTIONS = [32, 64, 128];
/** Calls per second where time is measured and not throughput. */
export const CALLS_PER_SECOND = Number(env.BENCH_CALLS_PER_SECOND ?? 1_000);
/** Of each of the ten destinations, where one hangs; and what waits for that one. */
export const LANE_CALLS_PER_SECOND = Number(env.BENCH_LANE_CALLS_PER_SECOND ?? 100);
export const HUNG_WAITING = Number(env.BENCH_HUNG_WAITING ?? 100_000);
/** How many deliveries wait in a file, and how many destinations there are, where size is looked at. */
export const WAITING = numbers(env.BENCH_WAITING ?? "10000,1000000");
export const DESTINATIONS = numbers(env.BENCH_DESTINATIONS ?? "1,100,10000");

/** Looks at every request that was delivered, which costs time, and at what the stores hold. */
export const CHECKS = env.BENCH_CHECKS === "1";
/** Where to leave a CPU profile of each run of ours. */
export const PROFILES = env.BENCH_PROFILES;
/** A file for all that was found, as JSON. */
export const RESULTS = env.BENCH_RESULTS;

/** How long anything may take that does not say itself how long it takes. Milliseconds. */
export const PATIENCE_MS = 120_000;

export const CORES = availableParallelism();

function numbers(text) {
  return text.split(",").map(Number);
}
