import { createSeededRandom } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { kindsOf } from "./judge.js";
import { stopWorkers } from "./stopped-workers.js";

const SEED = 4;

describe("one of two servers on a file, stopped past its leases", () => {
  it("settles nothing a second time when it continues", async () => {
    const pair = (seed: number) => stopWorkers({ stops: 2, random: createSeededRandom(seed) });
    const reports = await Promise.all([pair(SEED), pair(SEED + 1)]);
    console.log(reports.map(({ stops, refused, repeated }) => ({ stops, refused, repeated })));
    expect(reports.flatMap(({ findings }) => findings)).toEqual([]);
    expect(Math.max(...reports.map(({ refused }) => refused))).toBeGreaterThan(0);
  });

  it("would settle twice if tokens were ignored", async () => {
    const random = createSeededRandom(SEED);
    const { findings } = await stopWorkers({ stops: 1, random, alterations: ["ignore-tokens"] });
    expect(kindsOf(findings)).toContain("settled-twice");
  });
});
