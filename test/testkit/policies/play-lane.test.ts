// A lane that is played without a relay does what the relay does in a simulation of the same outage.

import type { RetryPolicy } from "@postrider/core";
import type { ScriptedReply } from "@postrider/memory";
import { simulate } from "@postrider/simulator";
import { type DownAnswer, playLane } from "@postrider/testkit/policies";
import { expect, it } from "vitest";

const MINUTE = 60_000;
const SEEDS = 12;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

/** The same answer, as a simulation says it. */
function behaviourOf({ gives, tookMs, retryAfter }: DownAnswer): ScriptedReply {
  if (typeof gives !== "number") return { kind: "fails", fault: gives, afterMs: tookMs };
  const asked = retryAfter === undefined ? {} : { retryAfter: String(retryAfter.seconds) };
  return { kind: "answers", status: gives, afterMs: tookMs, ...asked };
}

const BROKEN: DownAnswer = { gives: 503, tookMs: 20 };

it.each<{
  readonly name: string;
  readonly calls: number;
  readonly everyMs: number;
  readonly lastsMs: number;
  readonly policy: Partial<RetryPolicy>;
  readonly answer?: DownAnswer;
}>([
  { name: "one call", calls: 1, everyMs: 1, lastsMs: 150 * MINUTE, policy: {} },
  { name: "a lane that is held", calls: 240, everyMs: 15_000, lastsMs: 60 * MINUTE, policy: {} },
  { name: "few calls, mostly retries", calls: 40, everyMs: 30_000, lastsMs: 60 * MINUTE, policy: {} },
  { name: "a short window", calls: 120, everyMs: 5_000, lastsMs: 20 * MINUTE, policy: { retryWindowMs: 8 * MINUTE } },
  {
    name: "refusals",
    calls: 40,
    everyMs: 30_000,
    lastsMs: 60 * MINUTE,
    policy: {},
    answer: { gives: 404, tookMs: 20 },
  },
  {
    name: "timeouts",
    calls: 40,
    everyMs: 30_000,
    lastsMs: 60 * MINUTE,
    policy: {},
    answer: { gives: "timeout", tookMs: 5_000 },
  },
  {
    ...{ name: "holds", calls: 40, everyMs: 30_000, lastsMs: 60 * MINUTE, policy: {} },
    answer: { gives: 429, tookMs: 20, retryAfter: { seconds: 200, form: "seconds" } },
  },
])(
  "$name: requests, deaths and delays as in a simulation",
  async ({ calls, everyMs, lastsMs, policy, answer = BROKEN }) => {
    const behaviour = behaviourOf(answer);
    const receivers = { crm: { spells: [{ fromMs: 0, untilMs: lastsMs, behaviour }] } };
    const [played, simulated] = [[], []] as { requests: number; delivered: number; lagMs: number }[][];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const deliveries = playLane(
        policy,
        { lastsMs, endpoints: [{ answers: [answer] }], startsAt: 0, seed },
        { calls, everyMs },
      );
      const lags = deliveries.flatMap(({ deliveredMs, acceptedMs }) =>
        deliveredMs === undefined ? [] : [deliveredMs - acceptedMs],
      );
      const requests = deliveries.reduce((sum, { rounds }) => sum + rounds.length, 0);
      played?.push({ requests, delivered: lags.length, lagMs: median(lags) });
      const { total } = await simulate({ policy, receivers, load: { calls, overMs: calls * everyMs }, seed });
      simulated?.push({ requests: total.requests, delivered: total.delivered, lagMs: total.lagMs?.p50 ?? 0 });
    }
    for (const key of ["requests", "delivered", "lagMs"] as const) {
      const [one, other] = [played, simulated].map((runs) => mean((runs ?? []).map((run) => run[key])));
      expect(Math.abs((one ?? 0) / (other ?? 0) - 1), `${key}: ${String(one)} and ${String(other)}`).toBeLessThan(0.04);
    }
  },
);
