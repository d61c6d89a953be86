// `npm run soak -- limits`: four servers on one database keep a rate, a hold and a `Retry-After` as one of them does.

import { expect, it } from "vitest";
import { playMany, type Seen } from "../many-as-one.js";
import { installedServers } from "../../programs/postgres/servers.js";
import { startForSuite } from "../suite-server.js";

const [installed] = installedServers();
if (installed === undefined) throw new Error("there is no PostgreSQL");
const { newDatabase } = startForSuite(installed);

const SERVERS = 4;
const SECOND = 1_000;

it("a rate of 100 a second is 100 a second, within five in a hundred", async () => {
  const seen = await playMany({
    store: await newDatabase(),
    servers: SERVERS,
    forMs: 30 * SECOND,
    receive: (_request, response) => void response.writeHead(200).end(),
    changes: { rateLimit: { perSecond: 100 } },
  });
  const perSecond = between(seen, 15 * SECOND, 25 * SECOND).length / 10;
  console.log(`${perSecond.toFixed(1)} requests a second of 100`);
  expect(perSecond).toBeGreaterThan(95);
  expect(perSecond).toBeLessThan(105);
});

it("a receiver that hangs sees at most 1.25 times the requests of one server", async () => {
  const play = async (servers: number): Promise<Seen> =>
    playMany({
      store: await newDatabase(),
      servers,
      forMs: 90 * SECOND,
      receive: () => undefined,
      delivery: { timeoutMs: 2_000, leaseMs: 10_000 },
    });
  const [one, four] = [await play(1), await play(SERVERS)];
  console.log(`one server: ${String(one.at.length)} requests; four: ${String(four.at.length)}`);
  console.log(`after half a minute, of one: ${later(one)}; of four: ${later(four)}`);
  expect(four.at.length).toBeLessThanOrEqual(1.25 * one.at.length);
});

it("after `Retry-After: 60` no server asks before 58 seconds", async () => {
  const answers: number[] = [];
  let firstAt = Number.NaN;
  const seen = await playMany({
    store: await newDatabase(),
    servers: SERVERS,
    forMs: 75 * SECOND,
    receive: (_request, response) => {
      if (Number.isNaN(firstAt)) firstAt = performance.now();
      const isEarly = performance.now() - firstAt < 50 * SECOND;
      answers.push(isEarly ? 429 : 200);
      response.writeHead(isEarly ? 429 : 200, isEarly ? { "retry-after": "60" } : {}).end();
    },
  });
  const [first = 0] = seen.at;
  const early = between(seen, first, first + 58 * SECOND);
  const lastOfEarly = Math.max(...early.map((at) => at - first));
  const next = seen.at.find((at) => at > first + 58 * SECOND);
  console.log(
    `${String(early.length)} requests within ${lastOfEarly.toFixed(0)} ms, the next after ${String(next)} ms`,
  );
  // Those that were under way when the first was answered, at each server.
  expect(lastOfEarly).toBeLessThan(2 * SECOND);
  expect(next).toBeDefined();
});

function between({ at }: Seen, from: number, to: number): readonly number[] {
  return at.filter((one) => one >= from && one < to);
}

/** The distances of requests in the last minute, in seconds. */
function later({ at }: Seen): string {
  const last = at.filter((one) => one > 30 * SECOND);
  return last.map((one, index) => ((one - (last[index - 1] ?? one)) / SECOND).toFixed(1)).join(" ");
}
