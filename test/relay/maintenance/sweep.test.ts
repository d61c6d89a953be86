import { describe, expect, it } from "vitest";
import { createRig } from "../rig.js";

/** A store that has this many deliveries to sweep, and counts how often it is asked. */
function storeWith(deliveries: number) {
  let remaining = deliveries;
  const callTimes: number[] = [];
  const rig = createRig({
    wrapStore: (store, clock) => ({
      ...store,
      sweep: ({ limit }) => {
        const swept = Math.min(remaining, limit);
        remaining -= swept;
        callTimes.push(clock.monotonic());
        return Promise.resolve(swept);
      },
    }),
  });
  return { rig, left: () => remaining, asked: callTimes };
}

describe("sweeping", () => {
  it("goes on at once while more is left than one run removes, so that it keeps pace with a busy relay", async () => {
    const { rig, left } = storeWith(200_000);
    await rig.advance(60_000);
    expect(left()).toBe(0);
  });

  it("waits a minute once all is removed", async () => {
    const { rig, left, asked } = storeWith(300);
    await rig.advance(1_000);
    expect(left()).toBe(0);
    const before = asked.length;
    await rig.advance(50_000);
    expect(asked).toHaveLength(before);
    await rig.advance(15_000);
    expect(asked).toHaveLength(before + 1);
  });
});
