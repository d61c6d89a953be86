// How a server's memory develops over many deliveries, beside many that wait: what the kernel holds resident for it, at even steps, and
// the slope of the line through them. `npm run bench -- memory [DELIVERIES] [WAITING]`; a million each unless it says otherwise. Needs
// `tsc -b` first, and Linux.

import { startOurs } from "./arms/ours.js";
import { fillFile } from "./fill.js";
import { load } from "./machine.js";
import { now } from "./now.js";
import { pour } from "./pour.js";
import { residentMegabytes } from "./processes.js";
import { startReceiver } from "./receiver.js";
import { table } from "./report/tables.js";
import { allSettled } from "./run-arm.js";
import { configFor, SOURCE } from "./scene.js";
import { lineThrough, quantile } from "./statistics.js";

const DELIVERIES = Number(process.argv[2] ?? 1_000_000);
const WAITING = Number(process.argv[3] ?? 1_000_000);
const STOCK = "stock";
const SAMPLE_MS = 250;
/** A run stops here with what it has, and says so. */
const MAX_MS = 3_600_000;
/** Before this share of the deliveries, code is compiled and caches fill. */
const WARM_SHARE = 0.1;
const PARTS = 10;
/** How much of the mean the line may rise or fall between the first and the last delivery that count. */
const FLAT_WITHIN = 0.05;

console.log(`load ${load()} before; ${number(DELIVERIES)} deliveries beside ${number(WAITING)} that wait`);
const filled = await fillFile(WAITING, () => ({ source: SOURCE, destination: STOCK }));
const receiver = await startReceiver();
try {
  report(await measure());
} finally {
  await receiver.stop();
  filled.remove();
}

/** `{ delivered, mb }` at even times, until all are delivered or time is up. */
async function measure() {
  await receiver.keep("nothing");
  const paused = { id: STOCK, sources: [], endpoints: [{ url: `${receiver.url}/stock` }], paused: true };
  const running = await startOurs(configFor(receiver.url, { more: [paused] }), { store: filled.file, isShared: true });
  const samples = [];
  const sample = () => samples.push({ delivered: receiver.received(), mb: residentMegabytes(running.child.pid) });
  const timer = setInterval(sample, SAMPLE_MS);
  const endAt = now() + MAX_MS;
  let made = 0;
  let told = 0;
  try {
    while (made < DELIVERIES && now() < endAt) {
      made += await pour(running.url, receiver, { forMs: 1_000 });
      if (made - told < DELIVERIES / PARTS) continue;
      told = made;
      process.stderr.write(`memory: ${number(made)} of ${number(DELIVERIES)}, ${samples.at(-1)?.mb} MB\n`);
    }
    await allSettled(running, receiver, made);
    sample();
    return samples;
  } finally {
    clearInterval(timer);
    await running.stop();
  }
}

function report(samples) {
  const last = samples.at(-1).delivered;
  if (last < DELIVERIES) console.log(`!!! STOPPED after ${MAX_MS / 60_000} minutes: ${number(last)} delivered`);
  const parts = Array.from({ length: PARTS }, (_, part) =>
    samples.filter(({ delivered }) => Math.min(PARTS - 1, Math.floor((delivered / last) * PARTS)) === part),
  );
  const rows = parts
    .filter((part) => part.length > 0)
    .map((part) => [
      number(part.at(-1).delivered),
      quantile(
        part.map(({ mb }) => mb),
        0.5,
      ),
      Math.max(...part.map(({ mb }) => mb)),
    ]);
  console.log(table(["delivered", "resident, MB, median", "most"], rows).join("\n"));
  const warm = samples.filter(({ delivered }) => delivered >= last * WARM_SHARE);
  const { slope, mean } = lineThrough(warm.map(({ delivered, mb }) => [delivered, mb]));
  const rise = slope * (last - warm[0].delivered);
  const share = rise / mean;
  console.log(
    `slope ${(slope * 1e6).toFixed(1)} MB a million deliveries: ${rise.toFixed(1)} MB of ${mean.toFixed(0)} MB, ${(share * 100).toFixed(1)} % ` +
      `after the first ${WARM_SHARE * 100} %; asked: flat within ${FLAT_WITHIN * 100} %: ${Math.abs(share) <= FLAT_WITHIN ? "met" : "MISSED"}`,
  );
  console.log(`load ${load()} after`);
}

function number(value) {
  return value.toLocaleString("en-US");
}
