// The promises to our receivers, for any outage and any random delays.

import { outages, playOutage } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ourPolicy } from "./policy.js";

const HALF_AN_HOUR_MS = 1_800_000;

it("a receiver that comes back gets an attempt within half an hour, as long as the window is open", () => {
  const property = fc.property(outages(), (outage) => {
    const starts = playOutage(ourPolicy, outage);
    starts.slice(1).forEach((startMs, index) => {
      expect(startMs - (starts[index] ?? 0)).toBeLessThanOrEqual(HALF_AN_HOUR_MS);
    });
  });
  fc.assert(property, { seed: 1, numRuns: 1_000 });
});

it("no round starts after the window", () => {
  const property = fc.property(outages(), (outage) => {
    expect(playOutage(ourPolicy, outage).at(-1)).toBeLessThanOrEqual(ourPolicy.retryWindowMs);
  });
  fc.assert(property, { seed: 1, numRuns: 1_000 });
});
