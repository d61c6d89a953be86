// Benchmark 3: ten destinations with calls at an even rate. The tenth hangs until the timeout, with deliveries waiting
// for it; the latency of the other nine is compared with a run in which the tenth is healthy and nothing waits.

import { startOurs } from "./arms/ours.js";
import { fillFile } from "./fill.js";
import { latenciesOf } from "./latency.js";
import { drip } from "./pour.js";
import { configFor, destinationOf, keyOf, sourceOf } from "./scene.js";
import { HUNG_WAITING, LANE_CALLS_PER_SECOND, ROUNDS, RUN_MS, WARM_UP_MS } from "./settings.js";
import { until } from "./processes.js";
import { shuffled } from "./statistics.js";

const LANES = 10;
const HUNG = LANES - 1;
const RUNS = ["all well", "all well again", "one hangs"];

/** Answers for each run in each round the latencies of the nine, and how many attempts at the tenth hung. */
export async function measureIsolation({ receiver, tell }) {
  const filled = await fillFile(HUNG_WAITING, () => ({ source: sourceOf(HUNG), destination: destinationOf(HUNG) }));
  const rounds = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const results = {};
      for (const name of shuffled(RUNS)) {
        results[name] = await run(name === "one hangs" ? filled.file : undefined, receiver);
        tell(`${name} ${results[name].whole.p99.toFixed(1)} ms`);
      }
      rounds.push(results);
    }
  } finally {
    filled.remove();
  }
  return { arms: RUNS, waiting: HUNG_WAITING, rounds };
}

async function run(store, receiver) {
  await receiver.keep("times");
  const pathOf = (index) => (index === HUNG && store !== undefined ? "/hang" : `/${index}`);
  const config = configFor(receiver.url, { sources: LANES, pathOf });
  const running = await startOurs(config, { store });
  const writeKeys = Array.from({ length: LANES }, (_, index) => keyOf(index));
  const drop = { callsPerSecond: LANES * LANE_CALLS_PER_SECOND, writeKeys };
  try {
    await drip(running.url, { forMs: WARM_UP_MS, ...drop });
    const calls = await drip(running.url, { forMs: RUN_MS, ...drop });
    const healthy = calls.filter(({ maker }) => maker !== HUNG);
    const { times, hung } = await reportOf(receiver, healthy);
    return { calls: healthy.length, hung, ...latenciesOf(healthy, times) };
  } finally {
    await running.stop();
  }
}

/** Resolves once all of these calls have arrived. */
async function reportOf(receiver, calls) {
  let report;
  await until(
    async () => {
      report = await receiver.report();
      const ids = new Set(report.times.map(({ id }) => id));
      return calls.every(({ id }) => ids.has(id));
    },
    "what healthy destinations are owed",
    50,
  );
  return report;
}
