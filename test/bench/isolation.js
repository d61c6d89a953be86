// Benchmark 4: ten destinations with calls at an even rate. The tenth hangs until the timeout, with deliveries waiting
// for it; the latency of the other nine is compared with a run in which the tenth is healthy and nothing waits.

import { startOurs } from "./arms/ours.js";
import { fillFile } from "./fill.js";
import { latenciesOf } from "./latency.js";
import { drip } from "./pour.js";
import { until } from "./processes.js";
import { inRounds } from "./rounds.js";
import { configFor, destinationOf, keyOf, sourceOf } from "./scene.js";
import { HUNG_WAITING, LANE_CALLS_PER_SECOND, RUN_MS, WARM_UP_MS } from "./settings.js";

const LANES = 10;
const HUNG = LANES - 1;
const RUNS = ["all well", "all well again", "one hangs"];

/** Answers for each run in each round the latencies of the nine, and how many attempts at the tenth hung. */
export async function measureIsolation({ receiver, tell }) {
  const filled = await fillFile(HUNG_WAITING, () => ({ source: sourceOf(HUNG), destination: destinationOf(HUNG) }));
  try {
    const run = ({ name }) => runTen(name === "one hangs" ? filled.file : undefined, receiver);
    const describe = ({ whole }) => `${whole.p99.toFixed(1)} ms`;
    const rounds = await inRounds(
      RUNS.map((name) => ({ name })),
      { run, describe, tell },
    );
    return { arms: RUNS, waiting: HUNG_WAITING, rounds };
  } finally {
    filled.remove();
  }
}

async function runTen(store, receiver) {
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
