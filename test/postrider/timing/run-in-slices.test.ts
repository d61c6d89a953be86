import { mapInSteps, type Steps } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { MAX_STEPS_PER_SLICE } from "../../../packages/postrider/src/timing/run-in-slices.js";
import { runInSlices, stepsWhileWanted } from "../../../packages/postrider/src/timing/run-in-slices.js";
import { createStepClock } from "../step-clock.js";

/** Work of `count` steps that records each one. */
function stepsOf(count: number, onStep: () => number): Steps<readonly number[]> {
  return mapInSteps(Array.from({ length: count }), onStep);
}

describe("work in slices", () => {
  it("runs one slice of its steps between two returns to the event loop", async () => {
    const clock = createStepClock();
    let done = 0;
    const work = runInSlices(
      stepsOf(2 * MAX_STEPS_PER_SLICE + 1, () => (done += 1)),
      clock,
    );
    expect(done).toBe(MAX_STEPS_PER_SLICE);
    await clock.goOn();
    expect(done).toBe(2 * MAX_STEPS_PER_SLICE);
    await clock.goOn();
    expect(done).toBe(2 * MAX_STEPS_PER_SLICE + 1);
    expect(await work).toHaveLength(done);
  });

  it("returns to the event loop after each long step", async () => {
    const clock = createStepClock();
    const seen: number[] = [];
    function* twoLong(): Steps<string> {
      for (const step of [1, 2]) {
        seen.push(step);
        yield "long";
      }
      return "done";
    }
    const work = runInSlices(twoLong(), clock);
    expect(seen).toEqual([1]);
    await clock.goOn();
    expect(seen).toEqual([1, 2]);
    await clock.goOn();
    expect(await work).toBe("done");
  });

  it("runs no further step once it is not wanted", async () => {
    const clock = createStepClock();
    let done = 0;
    let isWanted = true;
    const steps = stepsOf(2 * MAX_STEPS_PER_SLICE, () => (done += 1));
    const work = runInSlices(
      stepsWhileWanted(steps, () => isWanted),
      clock,
    );
    isWanted = false;
    await clock.goOn();
    expect(await work).toBeUndefined();
    expect(done).toBe(MAX_STEPS_PER_SLICE);
  });
});
