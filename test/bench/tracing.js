// What spans cost: the CPU of a call with its delivery, with 1 % of the calls recorded and without OpenTelemetry, each in a separate
// process. `npm run bench -- tracing [PAIRS] [CALLS]`; needs `tsc -b`, and the packages of test/programs/opentelemetry.

import { execFile } from "node:child_process";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startReceiver } from "./receiver.js";
import { shuffled, spreadText } from "./statistics.js";

const PROGRAM = fileURLToPath(new URL("tracing-process.js", import.meta.url));
const SPAN_COST = fileURLToPath(new URL("span-cost.js", import.meta.url));
const PAIRS = Number(process.argv[2] ?? 12);
const CALLS = process.argv[3] ?? "20000";
/**
 * `host`: the process has OpenTelemetry's SDK with its context manager, and Postrider makes no spans. `off again` says how much of a
 * difference is noise of the machine.
 */
const ARMS = { off: "off", host: "host", "1 %": "0.01", "off again": "off" };

const receiver = await startReceiver();
try {
  await receiver.keep("nothing");
  const ratios = { host: [], "1 %": [], "off again": [] };
  console.log(`load ${loadOf()} before; ${String(PAIRS)} rounds of ${CALLS} calls`);
  for (let pair = 0; pair < PAIRS; pair += 1) await measure(ratios);
  for (const [name, found] of Object.entries(ratios)) console.log(`${name} / off: ${spreadText(found, 3)}`);
  const own = ratios["1 %"].map((ratio, pair) => ratio / ratios.host[pair]);
  console.log(`1 % / host: ${spreadText(own, 3)}`);
  for (const share of ["0", "0.01"]) {
    const { stdout } = await promisify(execFile)(process.execPath, [SPAN_COST, share]);
    const { bare, traced } = JSON.parse(stdout);
    console.log(`${share} of calls recorded: ${(traced - bare).toFixed(2)} µs a call for its span`);
  }
  console.log(`load ${loadOf()} after`);
} finally {
  await receiver.stop();
}

/** Runs each arm once, in an order drawn anew. */
async function measure(ratios) {
  const found = {};
  for (const [name, share] of shuffled(Object.entries(ARMS))) {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, receiver.url, share, CALLS]);
    found[name] = JSON.parse(stdout);
  }
  for (const [name, list] of Object.entries(ratios)) list.push(found[name].microseconds / found.off.microseconds);
  const row = Object.entries(found).map(([name, { microseconds }]) => `${name} ${microseconds.toFixed(1)} µs`);
  console.log(`${row.toSorted().join(", ")}; ${String(found["1 %"].spans)} spans`);
}

function loadOf() {
  return loadavg()[0].toFixed(1);
}
