// How long a reload to many destinations blocks the event loop, at once and in slices: CPU of the main thread between two
// turns of the loop, and how long callers wait meanwhile. `npm run bench -- reload [destinations] [rounds]`; needs `tsc
// -b` first, and Linux for the CPU of one thread.

import { createSystemClock, createSystemRandom } from "@postrider/system";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig, readConfigInSlices, startServer } from "postrider";
import { quantile } from "./statistics.js";

const DESTINATIONS = Number(process.argv[2] ?? 10_000);
const ROUNDS = Number(process.argv[3] ?? 5);
const WRITE_KEY = "wk-bench";

const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
const file = join(folder, "postrider.json");
const clock = createSystemClock();
const noEnv = () => undefined;

/** Both apply the file; the first is what a host without slices does. */
const ARMS = {
  "in one go": async (server) => void server.configure(readConfig(file, noEnv).config),
  "in slices": async (server) => {
    await server.configureInSlices((await readConfigInSlices(file, noEnv, clock)).config);
  },
};

try {
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure() {
  writeConfig(0);
  const config = readConfig(file, noEnv).config;
  const options = { config, clock, random: createSystemRandom(), logger: { log: () => undefined } };
  const { server } = await startServer(options);
  const callers = fork(new URL("reload-callers.js", import.meta.url), [server.url, WRITE_KEY]);
  await once(callers, "message");
  writeConfig(DESTINATIONS);
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, reload] of Object.entries(ARMS)) print(round, name, await measureOne(server, callers, reload));
  }
  callers.kill();
  await server.stop();
}

async function measureOne(server, callers, reload) {
  callers.send("begin");
  await once(callers, "message");
  const end = watchTurns();
  const startedAt = clock.monotonic();
  await reload(server);
  const tookMs = clock.monotonic() - startedAt;
  const worstMs = end();
  callers.send("end");
  const [waits] = await once(callers, "message");
  return { tookMs, worstMs, waits };
}

/** Returns the most CPU of the main thread between two turns of the loop. */
function watchTurns() {
  let worstMs = 0;
  let isOver = false;
  let before = cpuMs();
  const look = () => {
    worstMs = Math.max(worstMs, cpuMs() - before);
    before = cpuMs();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  return () => {
    isOver = true;
    return Math.max(worstMs, cpuMs() - before);
  };
}

function cpuMs() {
  return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
}

function print(round, name, { tookMs, worstMs, waits }) {
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(waits.times, share).toFixed(0));
  const callers = `${waits.times.length} calls, ${waits.failed} failed, p50 ${p50} ms, p99 ${p99} ms`;
  console.log(`${round} ${name}: worst turn ${worstMs.toFixed(0)} ms of CPU, took ${tookMs.toFixed(0)} ms; ${callers}`);
}

/** The callers' source has no destination: the cost of a call to all of them is not measured here. */
function writeConfig(destinations) {
  const entries = Array.from({ length: destinations }, (_, index) => ({
    id: `destination-${index}`,
    name: `Customer ${index}`,
    sources: ["other"],
    endpoints: [
      {
        url: `https://receiver-${index}.example/hooks?tenant=${index}`,
        headers: { Authorization: `Bearer ${index}-0123456789abcdef` },
      },
    ],
    sharedSecret: `secret-${index}-0123456789abcdef`,
    rateLimit: { perSecond: 100 },
  }));
  const sources = [
    { id: "bench", writeKey: WRITE_KEY },
    { id: "other", writeKey: "wk-other" },
  ];
  const json = { listen: { port: 0 }, store: "memory:", sources, destinations: entries };
  writeFileSync(file, JSON.stringify(json, undefined, 2));
}
