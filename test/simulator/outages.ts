// Ten outages that are calculated by hand and simulated: long and short, one lane and many, short windows, partial failures, slow
// answers, Retry-After. And how both are averaged.

import { simulate, type SimulatedReceiver } from "@postrider/simulator";
import { calculate, type Figures, type Outage } from "./by-hand.js";

const SECOND = 1_000;
const MINUTE = 60_000;
const down = (from: number, until: number, more: object = {}) => ({
  ...{ fromMs: from * MINUTE, untilMs: until * MINUTE, fails: 1, tookMs: 20 },
  ...more,
});

export const OUTAGES: readonly Outage[] = [
  { name: "a call in each of 60 lanes, 150 min", lanes: 60, calls: 1, overMs: 1, stretches: [down(0, 150)] },
  { name: "600 calls, one lane, 40 min", lanes: 1, calls: 600, overMs: 60 * MINUTE, stretches: [down(10, 50)] },
  { name: "300 calls, 30 s", lanes: 1, calls: 300, overMs: 5 * MINUTE, stretches: [down(1, 1.5)] },
  {
    ...{ name: "a window of 20 min, 30 min", lanes: 1, calls: 240, overMs: 40 * MINUTE, stretches: [down(2, 32)] },
    policy: { retryWindowMs: 20 * MINUTE },
  },
  {
    ...{ name: "one of four requests fails, 60 min", lanes: 2, calls: 600, overMs: 60 * MINUTE },
    stretches: [down(0, 60, { fails: 0.25 })],
  },
  {
    // In many lanes, since one of them is held and opened by chance.
    ...{ name: "nine of ten requests fail, 20 lanes, 15 min", lanes: 20, calls: 60, overMs: 20 * MINUTE },
    stretches: [down(2, 17, { fails: 0.9 })],
  },
  {
    ...{ name: "it hangs, 20 min", lanes: 1, calls: 300, overMs: 30 * MINUTE },
    stretches: [down(5, 25, { tookMs: 60 * SECOND })],
  },
  {
    ...{ name: "Retry-After of 2 min, 20 min", lanes: 4, calls: 60, overMs: 30 * MINUTE },
    stretches: [down(5, 25, { retryAfterSeconds: 120 })],
  },
  {
    ...{ name: "steady delays of 1 min, 20 lanes, 30 min", lanes: 20, calls: 3, overMs: 3 * SECOND },
    ...{ stretches: [down(0, 30)], policy: { growth: 1, firstRetryMs: MINUTE, maxRetryMs: MINUTE } },
  },
  {
    ...{ name: "40 calls, mostly retries, 60 min", lanes: 3, calls: 40, overMs: 20 * MINUTE },
    stretches: [down(0, 60)],
  },
];

/** The means of several calculations. */
export function byHand(outage: Outage, draws: number): Figures {
  return means(Array.from({ length: draws }, (_, index) => calculate(outage, chance(index + 1))));
}

/** The means of several simulations. */
export async function bySimulator(outage: Outage, seeds: number): Promise<Figures> {
  const { lanes, calls, overMs, policy } = outage;
  const ids = Array.from({ length: lanes }, (_, index) => `lane-${String(index)}`);
  const receivers = Object.fromEntries(ids.map((id) => [id, receiverOf(outage)]));
  const figures: Figures[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { total } = await simulate({ receivers, load: { calls, overMs }, seed, ...(policy && { policy }) });
    const { p50 = 0, p99 = 0 } = total.lagMs ?? {};
    figures.push({ delivered: total.delivered, requests: total.requests, p50Ms: p50, p99Ms: p99 });
  }
  return means(figures);
}

function receiverOf({ stretches }: Outage): SimulatedReceiver {
  return {
    spells: stretches.map(({ fromMs, untilMs, fails, tookMs, retryAfterSeconds }) => {
      const retryAfter = retryAfterSeconds === undefined ? {} : { retryAfter: String(retryAfterSeconds) };
      const failure = { kind: "answers", status: 503, afterMs: tookMs, ...retryAfter } as const;
      const success = { kind: "answers", status: 200, afterMs: 20 } as const;
      const failing = Math.round(fails * 20);
      const of = Array.from({ length: 20 }, (_, index) => (index < failing ? failure : success));
      return { fromMs, untilMs, behaviour: { kind: "mixed", of } };
    }),
  };
}

function means(all: readonly Figures[]): Figures {
  const mean = (key: keyof Figures): number => all.reduce((sum, figures) => sum + figures[key], 0) / all.length;
  return { delivered: mean("delivered"), requests: mean("requests"), p50Ms: mean("p50Ms"), p99Ms: mean("p99Ms") };
}

/** By how much two figures differ, as a share of the second one. Lags below a tenth of a second count as equal. */
export function difference(one: Figures, other: Figures, key: keyof Figures): number {
  const apart = Math.abs(one[key] - other[key]);
  return key.endsWith("Ms") && apart < 100 ? 0 : apart / other[key];
}

/** Draws from [0, 1): a linear congruential generator (Knuth's MMIX), whose high bits are used. */
function chance(seed: number): () => number {
  let state = BigInt(seed) * 0x9e3779b97f4a7c15n;
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 11n) / 2 ** 53;
  };
}
