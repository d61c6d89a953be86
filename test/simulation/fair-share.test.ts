// A small part of the grid of `npm run soak -- shares`: lanes beside each other, slow, failing, poisoned or overloaded.

import { describe, expect, it } from "vitest";
import { playMixture } from "./fair-share.js";
import { playLanes } from "./play-lanes.js";

describe("lanes beside each other", () => {
  it("have at least nine tenths of their fair shares, and wait little if they ask for less than their shares", async () => {
    const mixture = {
      lanes: 6,
      errors: [0, 0.02, 0.2],
      latenciesMs: [4_500, 20, 4_500, 4_500],
      demands: [1.3, 0.3, 1.3, 0.5],
      maxPerSecond: 100,
    };
    for (const { had, isBelow, waitMs, mayWaitMs } of await playMixture(mixture, {
      forMs: 45_000,
      fromMs: 27_000,
      seed: 1,
    })) {
      expect(had).toBeGreaterThanOrEqual(0.9);
      if (isBelow) expect(waitMs.p99).toBeLessThanOrEqual(mayWaitMs);
    }
  });

  it("that are slow and could use every slot make no quick one wait", async () => {
    const slow = { perSecond: 130, latencyMs: 4_500 };
    const figures = await playLanes([slow, slow, slow, slow, { perSecond: 50, latencyMs: 20 }], {
      forMs: 33_000,
      fromMs: 24_000,
    });
    expect(figures.at(-1)).toMatchObject({ offered: 450, tried: 450 });
    expect(figures.at(-1)?.waitMs.p99).toBeLessThanOrEqual(20);
    for (const { requests } of figures.slice(0, 4)) expect(requests).toBeGreaterThanOrEqual(0.9 * 512 * (9 / 4.5));
  });

  it("send all that is offered, though a few per cent of requests fail", async () => {
    const [few, more] = await playLanes(
      [
        { perSecond: 200, latencyMs: 200, errors: 0.02 },
        { perSecond: 200, latencyMs: 200, errors: 0.2 },
      ],
      { forMs: 15_000 },
    );
    expect(few?.tried).toBeGreaterThanOrEqual(0.95 * 3_000);
    expect(more?.tried).toBeGreaterThanOrEqual(0.95 * 3_000);
    expect(Math.max(few?.waitMs.p99 ?? NaN, more?.waitMs.p99 ?? NaN)).toBeLessThanOrEqual(450);
  });
});

describe("messages that a receiver cannot take", () => {
  it("delay none of the others, if there are forty at once", async () => {
    const [lane] = await playLanes([{ perSecond: 50, latencyMs: 10, poisons: 40 }], { forMs: 30_000 });
    expect(lane).toMatchObject({ offered: 1_500, tried: 1_500 });
    expect(lane?.longestLagMs).toBeLessThanOrEqual(10_000);
  });

  it("delay the others by less than half a minute, if there are three hundred at once", async () => {
    const [lane] = await playLanes([{ perSecond: 50, latencyMs: 10, poisons: 300 }], { forMs: 60_000 });
    expect(lane).toMatchObject({ offered: 3_000, tried: 3_000 });
    expect(lane?.longestLagMs).toBeLessThanOrEqual(30_000);
  });
});

describe("a receiver", () => {
  it("that is overloaded gets as many requests as it can answer, and no fewer", async () => {
    const [lane] = await playLanes([{ perSecond: 300, latencyMs: 100, bears: 20 }], { forMs: 20_000, fromMs: 5_000 });
    const answered = (lane?.requests ?? 0) - (lane?.excess ?? 0);
    expect(answered).toBeGreaterThanOrEqual(0.9 * 200 * 15);
    expect(lane?.excess).toBeLessThanOrEqual(0.45 * (lane?.requests ?? 0));
  });

  it("that is down gets sixty first attempts and those under way, then few until it is back, and soon all", async () => {
    const isDown = { fromMs: 5_000, untilMs: 35_000 };
    const [down] = await playLanes([{ perSecond: 100, latencyMs: 50, isDown }], { forMs: 35_000, fromMs: 5_000 });
    expect(down?.requests).toBeLessThanOrEqual(60 + 32 + 10);
    const [back] = await playLanes([{ perSecond: 100, latencyMs: 50, isDown }], { forMs: 60_000, fromMs: 50_000 });
    expect(back?.waitMs.p99).toBeLessThanOrEqual(150);
  });
});
