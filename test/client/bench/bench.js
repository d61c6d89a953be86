// `npm run bench -- client`: the cost of a call, in @postrider/client and in @segment/analytics-node 3.1.0, on the same
// work, and beside the minimum that any library must do. Every arm runs twice in every round, each time in a separate
// process, in a random order; the difference between two runs of one arm is the noise of this machine. Prints medians
// with their spread, from the lower to the upper quartile.

import { execFileSync } from "node:child_process";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";

const ARM = fileURLToPath(new URL("arm.js", import.meta.url));
const ROUNDS = Number(process.env.ROUNDS ?? 9);
const CALLS = Number(process.env.CALLS ?? 100_000);
const RUNS = ["ours", "ours again", "segment", "segment again", "floor", "floor again"];

const results = Array.from({ length: ROUNDS }, () => {
  const round = Object.fromEntries(shuffled(RUNS).map((name) => [name, play(name)]));
  process.stderr.write(".");
  return round;
});
process.stderr.write("\n");

console.log(`${ROUNDS} rounds of ${CALLS} calls, load ${loadavg()[0].toFixed(1)}`);
for (const name of RUNS) {
  const cpu = spread(results.map((round) => round[name].cpuUs));
  const rate = spread(results.map((round) => round[name].callsPerSecond));
  console.log(`${name.padEnd(14)} CPU ${text(cpu, 2)} us a call, ${text(rate, 0)} calls/s`);
}
for (const [over, under] of [
  ["segment", "ours"],
  ["segment again", "ours again"],
  ["segment", "floor"],
  ["ours", "floor"],
  ["ours again", "ours"],
  ["segment again", "segment"],
  ["floor again", "floor"],
]) {
  const cpu = spread(results.map((round) => round[over].cpuUs / round[under].cpuUs));
  const rate = spread(results.map((round) => round[under].callsPerSecond / round[over].callsPerSecond));
  console.log(`${over} / ${under}: CPU ${text(cpu, 2)}, time ${text(rate, 2)}`);
}

function play(name) {
  const printed = execFileSync(process.execPath, [ARM, name.replace(" again", ""), String(CALLS)], {
    encoding: "utf8",
  });
  const { calls, batches, wallMs, cpuUs } = JSON.parse(printed);
  if (batches !== calls / 20) throw new Error(`${name} made ${batches} batches of ${calls} calls`);
  return { cpuUs: cpuUs / calls, callsPerSecond: (calls / wallMs) * 1_000 };
}

function shuffled(list) {
  return list
    .map((item) => [Math.random(), item])
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
}

function spread(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.round((sorted.length - 1) * share)];
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

function text({ low, median, high }, digits) {
  return `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}
