// The settings of the benchmarks, from the environment. The figures of docs/benchmarks.md are made with the defaults.

import { availableParallelism } from "node:os";

const { env } = process;

/** How often everything is measured; ratios are taken within a round. */
export const ROUNDS = Number(env.BENCH_ROUNDS ?? 9);
/** How long each arm runs in each round, and how long it runs before that, unmeasured. Milliseconds. */
export const RUN_MS = Number(env.BENCH_RUN_MS ?? 5_000);
export const WARM_UP_MS = Number(env.BENCH_WARM_UP_MS ?? 5_000);
/** Which arms take part, by name, with commas between; all if absent. */
export const ARMS = env.BENCH_ARMS?.split(",");

/** Which circumstances of the benchmark of cost are measured, by name, with commas between; all if absent. */
export const VARIANT_NAMES = env.BENCH_VARIANTS?.split(",");

/** A folder with another checkout, built, which takes part as the arm `base`: a change is measured in one run. */
export const BASE = env.BENCH_BASE;
/** Ours sends from a separate thread, and the arm `base` does not. */
export const SENDER_THREAD = env.BENCH_SENDER_THREAD === "1";

/** Calls of one request, where calls are sent in batches. */
export const BATCH = 20;
/** Connections that send them, each of which waits for its answer. */
export const CALLERS = Number(env.BENCH_CALLERS ?? 16);
/** Calls that were made and not yet delivered, at most: callers keep in step with deliveries. */
export const WINDOW = Number(env.BENCH_WINDOW ?? 2_000);
/** POSTs of a peer under way at once. */
export const CONCURRENCY = 64;
/** Connections with which the bare loop is tried; with the first of them, a POST of it is what the cost of a call is compared with. */
export const BARE_CONNECTIONS = [32, 64, 128];
/** Calls per second where latency is measured and not throughput. */
export const CALLS_PER_SECOND = Number(env.BENCH_CALLS_PER_SECOND ?? 1_000);
/** For each of the ten destinations, where one hangs; and the deliveries that wait for that one. */
export const LANE_CALLS_PER_SECOND = Number(env.BENCH_LANE_CALLS_PER_SECOND ?? 100);
export const HUNG_WAITING = Number(env.BENCH_HUNG_WAITING ?? 100_000);
/** How many deliveries wait in a file, and how many destinations there are, in the benchmark of size. */
export const WAITING = numbers(env.BENCH_WAITING ?? "10000,1000000");
export const DESTINATIONS = numbers(env.BENCH_DESTINATIONS ?? "1,100,10000");

/** Checks every delivered request, which costs time, and the contents of the stores. */
export const CHECKS = env.BENCH_CHECKS === "1";
/** The folder for a CPU profile of each Postrider run. */
export const PROFILES = env.BENCH_PROFILES;
/** Ends with status 1 if a target is missed that is a gate. */
export const GATES = env.BENCH_GATE === "1";
/** A file for all results, as JSON. */
export const RESULTS = env.BENCH_RESULTS;

/** The timeout of steps without a duration. Milliseconds. */
export const PATIENCE_MS = 120_000;

export const CORES = availableParallelism();

function numbers(text) {
  return text.split(",").map(Number);
}
