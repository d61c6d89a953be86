// What spans cost: the CPU of a call with its delivery, with 1 % of the calls recorded and with Postrider's tracing off, in turns in one
// process whose host has OpenTelemetry. `npm run bench -- tracing [ROUNDS] [CALLS]`; needs `tsc -b`, and the packages of
// test/programs/opentelemetry.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startReceiver } from "./receiver.js";
import { spreadText } from "./statistics.js";

const PROGRAM = fileURLToPath(new URL("tracing-process.js", import.meta.url));
const SPAN_COST = fileURLToPath(new URL("span-cost.js", import.meta.url));
const THIRD_PARTIES = new URL("../programs/opentelemetry/node_modules", import.meta.url);
const ROUNDS = process.argv[2] ?? "12";
const CALLS = process.argv[3] ?? "20000";

if (!existsSync(THIRD_PARTIES)) {
  console.error("tracing: OpenTelemetry is not installed; run `npm ci` in test/programs/opentelemetry");
  process.exit(1);
}
const receiver = await startReceiver();
try {
  await receiver.keep("nothing");
  console.log(`load ${loadOf()} before; ${ROUNDS} rounds of ${CALLS} calls of each arm`);
  const bare = await runJson(PROGRAM, receiver.url, "none", "3", CALLS);
  console.log(`without OpenTelemetry: ${spreadText(listOf(bare, "off"), 1)} µs a call`);
  const host = await runJson(PROGRAM, receiver.url, "0.01", ROUNDS, CALLS);
  console.log(
    `beside a host's: off ${spreadText(listOf(host, "off"), 1)} µs, 1 % ${spreadText(listOf(host, "traced"), 1)} µs`,
  );
  console.log(`1 % / off: ${spreadText(ratios(host, "traced"), 3)}; ${String(host.spans)} spans`);
  console.log(`off again / off: ${spreadText(ratios(host, "off again"), 3)}`);
  for (const share of ["0", "0.01"]) {
    const { bare: without, traced } = await runJson(SPAN_COST, share);
    console.log(`${share} of calls recorded: ${(traced - without).toFixed(2)} µs a call for its span`);
  }
  console.log(`load ${loadOf()} after`);
} finally {
  await receiver.stop();
}

async function runJson(...words) {
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return JSON.parse(stdout);
}

function listOf({ microseconds }, arm) {
  return microseconds.map((round) => round[arm]);
}

function ratios({ microseconds }, arm) {
  return microseconds.map((round) => round[arm] / round.off);
}

function loadOf() {
  return loadavg()[0].toFixed(1);
}
