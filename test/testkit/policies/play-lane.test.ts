// A lane that is played without a relay does what the relay does in a simulation of the same outage.

import { simulate } from "@postrider/simulator";
import { playLane } from "@postrider/testkit/policies";
import { expect, it } from "vitest";

const MINUTE = 60_000;
const SEEDS = 12;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

it.each([
  { name: "one call", calls: 1, everyMs: 1, lastsMs: 150 * MINUTE, policy: {} },
  { name: "a lane that is held", calls: 240, everyMs: 15_000, lastsMs: 60 * MINUTE, policy: {} },
  { name: "few calls, mostly retries", calls: 40, everyMs: 30_000, lastsMs: 60 * MINUTE, policy: {} },
  { name: "a short window", calls: 120, everyMs: 5_000, lastsMs: 20 * MINUTE, policy: { retryWindowMs: 8 * MINUTE } },
])("$name: requests, deaths and delays as in a simulation", async ({ calls, everyMs, lastsMs, policy }) => {
  const behaviour = { kind: "answers", status: 503, afterMs: 20 } as const;
  const receivers = { crm: { spells: [{ fromMs: 0, untilMs: lastsMs, behaviour }] } };
  const [played, simulated] = [[], []] as { requests: number; delivered: number; lagMs: number }[][];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const deliveries = playLane(policy, { lastsMs, tookMs: 20, seed }, { calls, everyMs });
    const lags = deliveries.flatMap(({ deliveredMs, acceptedMs }) =>
      deliveredMs === undefined ? [] : [deliveredMs - acceptedMs],
    );
    const requests = deliveries.reduce((sum, { startsMs }) => sum + startsMs.length, 0);
    played?.push({ requests, delivered: lags.length, lagMs: median(lags) });
    const { total } = await simulate({ policy, receivers, load: { calls, overMs: calls * everyMs }, seed });
    simulated?.push({ requests: total.requests, delivered: total.delivered, lagMs: total.lagMs?.p50 ?? 0 });
  }
  for (const key of ["requests", "delivered", "lagMs"] as const) {
    const [one, other] = [played, simulated].map((runs) => mean((runs ?? []).map((run) => run[key])));
    expect(Math.abs((one ?? 0) / (other ?? 0) - 1), `${key}: ${String(one)} and ${String(other)}`).toBeLessThan(0.04);
  }
});
