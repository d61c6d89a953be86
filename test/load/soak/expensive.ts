// `npm run soak -- expensive`: 20,000 requests that are as expensive as possible, or as many as `--runs` says, from `--seed`
// on. Prints the CPU time of the main thread between two turns of the loop, and the worst turns with their requests.

import { expect, it } from "vitest";
import { playExpensive } from "../expensive/play-expensive.js";
import type { Watched } from "../expensive/watched-server.js";

const REQUESTS = Number(process.env["EXPENSIVE_REQUESTS"] ?? 20_000);
const FIRST_SEED = Number(process.env["EXPENSIVE_SEED"] ?? 1);
const WARM_UP = 40;
/** CPU of the main thread between two turns of the loop. */
const MOST_CPU_MS = 50;
/** Growth of the live bytes since the start, without garbage. */
const MOST_GROWTH = 64 * 1_048_576;

it(`${String(REQUESTS)} expensive requests stop the loop for no more than ${String(MOST_CPU_MS)} ms`, async () => {
  const { startBytes, watched, wrong } = await playExpensive({
    requests: REQUESTS,
    firstSeed: FIRST_SEED,
    warmUp: WARM_UP,
    tell: (sent, now, before) => console.log(`${String(sent)} requests: ${summary(now, before)}`),
    every: Math.min(500, Math.ceil(REQUESTS / 10)),
  });
  console.log(`the worst of ${String(watched.turns)} turns, CPU of the main thread:`);
  for (const { cpuMs, requests } of watched.worst) console.log(`${cpuMs.toFixed(1)} ms: ${requests.join(" | ")}`);
  console.log(`most live heap, ${mb(watched.highest.bytes - startBytes)}: ${watched.highest.requests.join(" | ")}`);
  for (const fault of wrong.slice(0, 20)) console.log(`wrong answer: ${fault}`);
  expect(wrong).toEqual([]);
  expect(watched.worst.filter(({ cpuMs }) => cpuMs > MOST_CPU_MS)).toEqual([]);
  expect(Math.max(watched.live, watched.highest.bytes) - startBytes).toBeLessThanOrEqual(MOST_GROWTH);
});

function summary({ worst, live, highest }: Watched, startBytes: number): string {
  const heap = `live heap ${mb(live - startBytes)} now, ${mb(highest.bytes - startBytes)} at most`;
  return `${(worst[0]?.cpuMs ?? 0).toFixed(1)} ms between two turns, ${heap}`;
}

function mb(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
