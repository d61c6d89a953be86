// What metrics cost: CPU of a call that is accepted, delivered and settled in memory, with a registry and without, in pairs of
// processes; and a scrape of 500 and of 10,000 destinations whose metrics all have points. `npm run bench -- metrics [pairs]
// [calls]`; needs `tsc -b` first.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { load } from "./machine.js";
import { shuffled, spreadText } from "./statistics.js";

const PAIRS = Number(process.argv[2] ?? 12);
const CALLS = process.argv[3] ?? "60000";
const PROGRAM = fileURLToPath(new URL("metrics-process.js", import.meta.url));
/** Destinations, and how many ways attempts at each have ended. */
const SCRAPES = [
  [500, 1],
  [500, 3],
  [10_000, 3],
];

console.log(`Node ${process.version}, load ${load()} before`);
const ratios = [];
const costs = { off: [], on: [] };
for (let pair = 1; pair <= PAIRS; pair += 1) {
  const cpuUs = {};
  for (const arm of shuffled(["off", "on"])) cpuUs[arm] = (await run("calls", arm, CALLS)).cpuUs;
  ratios.push(cpuUs.on / cpuUs.off);
  for (const arm of ["off", "on"]) costs[arm].push(cpuUs[arm]);
  process.stderr.write(`${pair}: off ${cpuUs.off.toFixed(1)} µs, on ${cpuUs.on.toFixed(1)} µs, load ${load()}\n`);
}
console.log(`CPU of a call without metrics ${spreadText(costs.off, 1)} µs, with metrics ${spreadText(costs.on, 1)} µs`);
console.log(`with / without in ${PAIRS} pairs: median and quartiles ${spreadText(ratios, 3)}, ${range(ratios, 3)}`);
for (const [destinations, results] of SCRAPES) {
  const { ms, cpuMs, bytes, lines } = await run("scrape", destinations, results);
  const size = `${lines} lines, ${(bytes / 1e6).toFixed(1)} MB`;
  const figures = `${spreadText(ms, 1)} ms, ${range(ms, 1)}, CPU ${cpuMs.toFixed(1)} ms`;
  console.log(`scrape, ${destinations} destinations, ${results} results each (${size}): ${figures}`);
}
console.log(`load ${load()} after`);

async function run(...words) {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...words.map(String)]);
  return JSON.parse(stdout);
}

function range(values, digits) {
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;
}
