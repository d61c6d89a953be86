// `npm run soak -- lanes`: the real server with real receivers that are slow, fail, or cannot accept some of their messages.
// Prints the delays of the other receivers. Takes a minute and a half; figures are valid only on an otherwise idle machine.

import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { WRITE_KEY } from "../../canary.js";
import { close, listen } from "../../loopback.js";
import { createScene, destination } from "../scene.js";
import { serve } from "../server-process.js";

interface Slow {
  readonly afterMs: number;
  /** Every how manyth request is answered 500. */
  readonly failsEvery?: number;
}

interface Told {
  readonly url: string;
  /** From the call to the request that was answered 200, in the order of arrival. */
  readonly lags: number[];
  readonly tried: Set<string>;
}

const TICK_MS = 20;
/** Longer than the slow receivers need on a busy machine. */
const POLICY = { timeoutMs: 10_000, leaseMs: 30_000 };

async function receiver({ afterMs, failsEvery = Infinity }: Slow): Promise<Told> {
  const told = { lags: [] as number[], tried: new Set<string>() };
  let requests = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { event, properties } = JSON.parse(Buffer.concat(chunks).toString());
      requests += 1;
      const fails = event === "poison" || requests % failsEvery === 0;
      if (event === "good") told.tried.add(properties.number);
      if (event === "good" && !fails) told.lags.push(performance.now() - properties.at);
      setTimeout(() => response.writeHead(fails ? 500 : 200).end(), afterMs);
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { ...told, url: `http://127.0.0.1:${port}` };
}

async function batch(url: string, event: string, numbers: readonly number[]): Promise<void> {
  const calls = numbers.map((number) => ({
    type: "track",
    userId: "u1",
    event,
    properties: { number, at: performance.now() },
  }));
  const response = await fetch(`${url}/v1/batch`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}` },
    body: JSON.stringify({ batch: calls }),
  });
  await response.text();
  expect(response.status).toBe(200);
}

/** Makes calls at a steady rate; returns how many. */
async function pour(url: string, perSecond: number, forMs: number): Promise<number> {
  const beganAt = performance.now();
  let made = 0;
  while (performance.now() < beganAt + forMs) {
    const wanted = Math.floor(((performance.now() - beganAt) * perSecond) / 1_000) - made;
    if (wanted > 0) {
      await batch(
        url,
        "good",
        Array.from({ length: wanted }, (_, index) => made + index),
      );
    }
    made += wanted;
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  return made;
}

function p99(lags: readonly number[]): number {
  return lags.toSorted((one, other) => one - other)[Math.ceil(0.99 * lags.length) - 1] ?? NaN;
}

async function start(...slow: readonly Slow[]) {
  const receivers = await Promise.all(slow.map((one) => receiver(one)));
  const scene = createScene(
    receivers.map(({ url }, index) => destination([url], { id: `lane-${index}` })),
    POLICY,
  );
  const server = await serve(scene.config);
  return { receivers, url: server.url };
}

it("four receivers of 4.5 s take no slots from a fast one", async () => {
  const { receivers, url } = await start({ afterMs: 0 }, ...Array.from({ length: 4 }, () => ({ afterMs: 4_500 })));
  const made = await pour(url, 200, 50_000);
  const [quick, ...slow] = receivers;
  await expect.poll(() => quick?.tried.size, { timeout: 60_000 }).toBe(made);
  const late = quick?.lags.slice(-2_000) ?? [];
  console.log({ made, quickP99Ms: p99(late), slowTried: slow.map(({ tried }) => tried.size) });
});

it("2 % of errors at 200 ms do not lower the rate", async () => {
  const { receivers, url } = await start({ afterMs: 200, failsEvery: 50 });
  const made = await pour(url, 200, 20_000);
  const tried = receivers[0]?.tried.size ?? 0;
  console.log({ made, tried, share: tried / made });
  expect(tried).toBeGreaterThanOrEqual(0.95 * made);
});

it("forty messages that a receiver cannot accept delay no other message by ten seconds", async () => {
  const { receivers, url } = await start({ afterMs: 5 });
  await batch(
    url,
    "poison",
    Array.from({ length: 40 }, (_, number) => number),
  );
  const made = await pour(url, 100, 5_000);
  await expect.poll(() => receivers[0]?.lags.length, { timeout: 60_000 }).toBe(made);
  const longestMs = Math.max(...(receivers[0]?.lags ?? []));
  console.log({ made, longestMs });
  expect(longestMs).toBeLessThanOrEqual(10_000);
});
