import { createManualClock } from "@postrider/memory";
import type { RateLimit, Source } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createSourceLimits } from "../../packages/http/src/ingest/sources.js";
import { WRITE_KEY } from "../canary.js";
import { source } from "./world.js";

function limited(rateLimit: RateLimit): Source {
  return { ...source("website", WRITE_KEY), rateLimit };
}

describe("the limits of sources", () => {
  it("do not apply to a source without a limit", () => {
    const limits = createSourceLimits(createManualClock());
    const website = source("website", WRITE_KEY);
    for (let turn = 0; turn < 100; turn += 1) expect(limits.spend(website, 2_500)).toBe(0);
    expect(limits.waitMs(website)).toBe(0);
  });

  it("apply to each source separately", () => {
    const limits = createSourceLimits(createManualClock());
    const [one, other] = [limited({ perSecond: 1, burst: 2 }), limited({ perSecond: 1, burst: 2 })];
    expect([limits.spend(one, 2), limits.spend(one, 1), limits.spend(other, 2)]).toEqual([0, 1_000, 0]);
  });

  it("answer how long to wait without spending calls, and refill over time", async () => {
    const clock = createManualClock();
    const limits = createSourceLimits(clock);
    const website = limited({ perSecond: 2, burst: 1 });
    expect([limits.waitMs(website), limits.waitMs(website)]).toEqual([0, 0]);
    expect([limits.spend(website, 1), limits.waitMs(website), limits.spend(website, 1)]).toEqual([0, 500, 500]);
    await clock.advance(500);
    expect([limits.waitMs(website), limits.spend(website, 1)]).toEqual([0, 0]);
  });
});
