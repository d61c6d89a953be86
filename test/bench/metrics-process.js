// `calls off|on N`: the CPU of N calls in a relay in memory, whose receiver answers at once, without an observer or with a
// registry. `scrape DESTINATIONS RESULTS`: how long scrapes take. Prints JSON.

import { createSecret, DEFAULT_DELIVERY, DEFAULT_RETENTION, destinationId, sourceId } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { createRelay } from "@postrider/relay";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import { createRegistry, exposeMetrics } from "@postrider/relay/metrics";
import { sampleCall } from "./calls.js";
import { now } from "./now.js";
import { scrapeScene } from "./scrape-scene.js";
import { BATCH, WINDOW } from "./settings.js";

const WARM_UP_CALLS = 20_000;
const WARM_UP_SCRAPES = 40;
const SCRAPES = 60;
const SOURCE = sourceId("website");
const RESULTS = [
  { kind: "answered", status: 200 },
  { kind: "answered", status: 503 },
  { kind: "silent", fault: "timeout" },
];
const WORK = { calls: measureCalls, scrape: measureScrapes };

const [, , work, ...words] = process.argv;
console.log(JSON.stringify(await WORK[work](...words)));

async function measureCalls(arm, count) {
  const { observe, verify } = observerOf(arm);
  const clock = createSystemClock();
  let delivered = 0;
  const http = {
    send: () => Promise.resolve(++delivered && { kind: "answered", status: 200, afterMs: 0, excerpt: null }),
  };
  const store = createMemoryStore({ disk: createMemoryDisk() });
  const random = createSystemRandom();
  const relay = createRelay({ workspace: workspaceOf(), store, http, clock, random, ...observe });
  relay.start();
  await make(WARM_UP_CALLS);
  const before = process.cpuUsage();
  await make(Number(count));
  const { user, system } = process.cpuUsage(before);
  await relay.stop();
  verify(WARM_UP_CALLS + Number(count));
  return { cpuUs: (user + system) / Number(count) };

  /** Resolves once all are settled. */
  async function make(calls) {
    const until = delivered + calls;
    for (let made = 0; made < calls; made += BATCH) {
      await relay.accept({ source: SOURCE, calls: Array.from({ length: BATCH }, sampleOf) });
      while (until - calls + made - delivered > WINDOW) await pause();
    }
    while (delivered < until || relay.lanes().some(({ deliveries }) => deliveries > 0)) await pause();
  }
}

/** `verify` throws unless the metrics have all calls. */
function observerOf(arm) {
  if (arm === "off") return { observe: {}, verify: () => undefined };
  const registry = createRegistry();
  const verify = (calls) => {
    const { families } = registry.snapshot([], 0);
    const { points } = families.find(({ name }) => name === "postrider.deliveries");
    if (points[0]?.value !== calls) throw new Error(`${calls} calls, and counted ${JSON.stringify(points)}`);
  };
  return { observe: { observe: (event) => registry.observe(event) }, verify };
}

function sampleOf() {
  const { messageId, ...call } = sampleCall();
  return { ...call, userId: "user-1" };
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

function workspaceOf() {
  const destination = {
    ...{ id: destinationId("crm"), name: "CRM", enabled: true, paused: false, acceptsHistorical: true },
    sources: [{ source: SOURCE, mode: "cloud" }],
    endpoints: [{ url: "https://crm.example/hook", headers: [] }],
    secrets: [createSecret("a long shared secret")],
  };
  const sources = [{ id: SOURCE, name: "Website", writeKey: createSecret("wk_website") }];
  return { sources, destinations: [destination], delivery: DEFAULT_DELIVERY, retention: DEFAULT_RETENTION };
}

function measureScrapes(destinations, results) {
  const { registry, lanes, at } = scrapeScene(Number(destinations), RESULTS.slice(0, Number(results)));
  const scrape = () => exposeMetrics(registry.snapshot(lanes, at), undefined).body;
  for (let turn = 0; turn < WARM_UP_SCRAPES; turn += 1) scrape();
  const before = process.cpuUsage();
  const ms = Array.from({ length: SCRAPES }, () => {
    const startedAt = now();
    scrape();
    return now() - startedAt;
  });
  const { user, system } = process.cpuUsage(before);
  const body = scrape();
  const lines = body.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0);
  return { ms, cpuMs: (user + system) / 1_000 / SCRAPES, bytes: body.length, lines };
}
