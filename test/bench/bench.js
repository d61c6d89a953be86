// `npm run bench [benchmark ...]`: throughput, cost and latency beside other libraries, in one run. Each round begins with another arm;
// ratios are within a round; medians with their quartiles, and at the end what was asked. docs/benchmarks.md describes the method. Needs
// `tsc -b`.

import { writeFileSync } from "node:fs";
import { measureCore } from "./core.js";
import { measureCost } from "./cost/cost.js";
import { PERF } from "./cpu/meter.js";
import { TELLS_THREADS } from "./cpu/thread-times.js";
import { measureIsolation } from "./isolation.js";
import { measureLatency } from "./latency.js";
import { describeMachine } from "./machine.js";
import { startReceiver } from "./receiver.js";
import { tablesOf } from "./report.js";
import { judgeTargets, missedGates, targetTable } from "./report/targets.js";
import { measureScale } from "./scale.js";
import { findPostgres } from "./servers/postgres.js";
import { findRedis } from "./servers/redis.js";
import { GATES, RESULTS, ROUNDS, RUN_MS } from "./settings.js";
import { measureThroughput } from "./throughput.js";

const BENCHMARKS = {
  throughput: measureThroughput,
  cost: measureCost,
  latency: measureLatency,
  isolation: measureIsolation,
  scale: measureScale,
  core: measureCore,
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHMARKS);
const unknown = wanted.filter((name) => BENCHMARKS[name] === undefined);
if (unknown.length > 0) throw new Error(`no benchmark ${unknown.join(", ")}; there are ${Object.keys(BENCHMARKS)}`);

const receiver = await startReceiver();
const servers = { redis: findRedis(), postgres: findPostgres() };
const results = { machine: describeMachine(servers), rounds: ROUNDS, runMs: RUN_MS };
for (const [name, { missing }] of Object.entries(servers)) {
  if (missing !== undefined) console.log(`!!! What needs ${name} is LEFT OUT: ${missing}.`);
}
if (PERF.missing !== undefined) console.log(`!!! Instructions are NOT COUNTED: ${PERF.missing}.`);
if (!TELLS_THREADS)
  console.log("!!! CPU is NOT SHOWN BY THREAD: this system has no /proc; processes tell theirs as a whole.");
console.log(`${results.machine}\n${ROUNDS} rounds of ${RUN_MS} ms\n`);
for (const name of wanted) await measure(name);
await receiver.stop();
judge();

/** If one fails, this is printed, and the others go on. */
async function measure(name) {
  const tell = (text) => process.stderr.write(`${name}: ${text}\n`);
  try {
    results[name] = await BENCHMARKS[name]({ receiver, servers, tell });
    console.log(tablesOf(name, results[name]).join("\n"));
  } catch (error) {
    console.error(`!!! ${name} has FAILED`, error);
    process.exitCode = 1;
  }
  if (RESULTS !== undefined) writeFileSync(RESULTS, JSON.stringify(results, null, 2));
}

function judge() {
  const judged = judgeTargets(results);
  console.log(["## targets", "", ...targetTable(judged), ""].join("\n"));
  const missed = missedGates(judged);
  for (const { what } of missed) console.log(`!!! A gate is MISSED: ${what}`);
  if (GATES && missed.length > 0) process.exitCode = 1;
}
