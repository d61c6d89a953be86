import { createManualClock } from "@postrider/memory";
import { createRegistry, createSeries } from "@postrider/relay/metrics";
import { describe, expect, it } from "vitest";
import { recordSeries } from "../../../packages/postrider/src/assembly/record-series.js";
import { createWorld } from "../../ingest/world.js";
import { shed } from "../../metrics/series/observed-series.js";

function record() {
  const [clock, metrics, series] = [createManualClock(), createRegistry(), createSeries()];
  const { relay } = createWorld();
  return { clock, metrics, series, start: () => recordSeries({ relay, metrics, series, clock }) };
}

describe("the recording of series", () => {
  it("takes a snapshot at once, and then at each full 10 seconds of the wall clock", async () => {
    const { clock, metrics, series, start } = record();
    await clock.advance(3_700);
    start();
    for (const calls of [1, 2, 3]) {
      metrics.observe(shed(calls));
      await clock.advance(10_000);
    }
    // What comes after the last full 10 seconds is not seen yet.
    metrics.observe(shed(9));
    await clock.advance(6_299);
    expect(series.read({ step: 10 }).calls.shed).toEqual([1, 2, 3]);
    await clock.advance(1);
    expect(series.read({ step: 10 }).calls.shed).toEqual([1, 2, 3, 9]);
  });

  it("goes on at full 10 seconds after the clock was set", async () => {
    const { clock, metrics, series, start } = record();
    start();
    clock.stepWall(4_000);
    await clock.advance(10_000);
    metrics.observe(shed(1));
    await clock.advance(6_000);
    metrics.observe(shed(2));
    await clock.advance(10_000);
    expect(series.read({ step: 10 }).calls.shed).toEqual([0, 1, 2]);
  });

  it("leaves no timer once it is stopped", async () => {
    const { clock, start } = record();
    const stop = start();
    await clock.advance(25_000);
    expect(clock.nextTimerAt()).toBe(30_000);
    stop();
    expect(clock.nextTimerAt()).toBeUndefined();
  });
});
