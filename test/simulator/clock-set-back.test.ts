// A wall clock that is set back while a settlement is on its way to the store. The outcome was decided by the clock when
// the round ended, and is judged by that (decision: clocks and decisions).

import { simulate, type SimulationOptions } from "@postrider/simulator";
import { describe, expect, it } from "vitest";

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

/** A receiver that never answers, a window shorter than one attempt, and a store that takes up to 150 ms. */
const HISTORY: SimulationOptions = {
  policy: { timeoutMs: 500, leaseMs: 5_500, retryWindowMs: 252, firstRetryMs: 20, maxRetryMs: 20 },
  receivers: { crm: { usually: { kind: "hangs" } } },
  load: { calls: 8, overMs: 2_000 },
  faults: [
    { kind: "store", ails: "slow", fromMs: 0, untilMs: 10_000 },
    { kind: "clock-step", atMs: 1_400, byMs: -800 },
  ],
};

/**
 * Tried deliveries wait in a lane that is paused. Their window ends, and the clock is set back while the store ends them.
 */
const PAUSED: SimulationOptions = {
  policy: { timeoutMs: 500, leaseMs: 5_500, retryWindowMs: 20_000, firstRetryMs: 1_000, maxRetryMs: 2_000 },
  receivers: { crm: { usually: { kind: "answers", status: 503 } } },
  load: { calls: 4, overMs: 4_000 },
  faults: [
    { kind: "closed", destination: "crm", how: "paused", fromMs: 5_000, untilMs: 200_000 },
    { kind: "store", ails: "slow", fromMs: 0, untilMs: 200_000 },
    { kind: "clock-step", atMs: 30_300, byMs: -80_000 },
  ],
};

describe("a clock that is set back while a settlement is on its way", () => {
  it.each(SEEDS)("breaks no promise: seed %i", async (seed) => {
    const { total } = await simulate({ ...HISTORY, seed });
    expect(total).toMatchObject({ deliveries: 8, delivered: 0, dead: { expired: 8 } });
  });

  it.each(SEEDS)("breaks no promise while expired deliveries are ended: seed %i", async (seed) => {
    const { total } = await simulate({ ...PAUSED, seed });
    expect(total).toMatchObject({ deliveries: 4, delivered: 0, dead: { expired: 4 } });
  });
});
