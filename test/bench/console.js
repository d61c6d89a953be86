// What people at the console cost a server: CPU of a call that is accepted, delivered and settled, with eight pages of a real browser
// open on it, four on the overview and four on the list of deliveries; and with the same pages open on another server beside it, so that
// the browser takes as much of the machine in both. Also how soon a page has shown its first rows, and what 200 rows a second cost it.
// `npm run bench -- console`; needs `tsc -b` first, and Chromium.

import { chromium } from "playwright-core";
import { startOurs } from "./arms/ours.js";
import { startMeter } from "./cpu/meter.js";
import { load } from "./machine.js";
import { drip, pour } from "./pour.js";
import { inRounds } from "./rounds.js";
import { startReceiver } from "./receiver.js";
import { allSettled } from "./run-arm.js";
import { API_TOKEN, configFor } from "./scene.js";
import { CALLS_PER_SECOND, RUN_MS, WARM_UP_MS } from "./settings.js";
import { spreadText } from "./statistics.js";

const PAGES = 8;
const EXECUTABLE = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** How long rows come, at this rate, for what they cost the page. */
const ROWS_MS = 8_000;
const ROWS_PER_SECOND = 200;

const LOADS = {
  "full load": (url, receiver, forMs) => pour(url, receiver, { forMs }),
  [`${CALLS_PER_SECOND} single calls a second`]: async (url, _receiver, forMs) =>
    (await drip(url, { forMs, callsPerSecond: CALLS_PER_SECOND })).length,
};

console.log(`Node ${process.version}, load ${load()} before`);
const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox"] });
const receiver = await startReceiver();
try {
  for (const [name, make] of Object.entries(LOADS)) await compare(name, make);
  await measurePage();
} finally {
  await browser.close();
  await receiver.stop();
}
console.log(`load ${load()} after`);

async function compare(name, make) {
  const [beside, here] = [{ name: "pages elsewhere" }, { name: "pages here" }];
  const run = ({ name: arm }) => runWith(arm === here.name, make);
  const describe = (cpuUs) => `${cpuUs.toFixed(1)} µs`;
  const tell = (line) => process.stderr.write(`${name}: ${line}\n`);
  const rounds = await inRounds([beside, here], { run, describe, tell });
  const of = (arm) =>
    spreadText(
      rounds.map((round) => round[arm.name]),
      1,
    );
  const ratios = rounds.map((round) => round[here.name] / round[beside.name]);
  console.log(
    `${name}: CPU of a call with ${PAGES} pages elsewhere ${of(beside)} µs, with ${PAGES} here ${of(here)} µs`,
  );
  console.log(`${name}: here / elsewhere ${spreadText(ratios, 3)}`);
}

async function runWith(isHere, make) {
  await receiver.keep("nothing");
  const [running, other] = [await startOurs(configFor(receiver.url)), await startOurs(configFor(receiver.url))];
  const context = await browser.newContext();
  try {
    const { url } = isHere ? running : other;
    for (let page = 0; page < PAGES; page += 1) await openPage(context, url, page % 2 === 0 ? "" : "deliveries");
    const warm = await make(running.url, receiver, WARM_UP_MS);
    await allSettled(running, receiver, warm);
    const meter = await startMeter(running);
    const calls = await make(running.url, receiver, RUN_MS);
    await allSettled(running, receiver, warm + calls);
    return (await meter.read(calls)).cpuUs.process;
  } finally {
    await context.close();
    await running.stop();
    await other.stop();
  }
}

/** A page that is logged in; the first one of a context logs in. */
async function openPage(context, url, path) {
  const page = await context.newPage();
  await page.goto(`${url}/console/${path}`);
  const field = page.getByLabel("Token");
  const sections = page.getByRole("navigation", { name: "Sections" });
  await field.or(sections).first().waitFor();
  if (await field.isVisible()) {
    await field.fill(API_TOKEN);
    await page.keyboard.press("Enter");
    await sections.waitFor();
  }
  return page;
}

/** One page while 200 deliveries a second come. */
async function measurePage() {
  await receiver.keep("nothing");
  const running = await startOurs(configFor(receiver.url));
  const context = await browser.newContext();
  try {
    const page = await openPage(context, running.url, "deliveries");
    await drip(running.url, { forMs: 1_000, callsPerSecond: ROWS_PER_SECOND });
    await page.reload();
    await page.locator("tbody tr").first().waitFor();
    const paint = await page.evaluate(`performance.getEntriesByName("first-contentful-paint")[0].startTime`);
    const rows = await page.evaluate("performance.now()");
    const client = await context.newCDPSession(page);
    await client.send("Performance.enable");
    const before = await metricsOf(client);
    await drip(running.url, { forMs: ROWS_MS, callsPerSecond: ROWS_PER_SECOND });
    const after = await metricsOf(client);
    const used = (name) => `${(after[name] - before[name]).toFixed(2)} s`;
    console.log(`first paint ${paint.toFixed(0)} ms, first rows ${rows.toFixed(0)} ms after the start of the page`);
    console.log(
      `${ROWS_PER_SECOND} rows a second for ${ROWS_MS / 1_000} s: script ${used("ScriptDuration")}, main thread ${used("TaskDuration")}, ` +
        `heap ${(after.JSHeapUsedSize / 1e6).toFixed(1)} MB`,
    );
  } finally {
    await context.close();
    await running.stop();
  }
}

async function metricsOf(client) {
  const { metrics } = await client.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}
