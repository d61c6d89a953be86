// The progress of a mutation run: a count that is wrong would be believed for a quarter of an hour.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planStages, type Reach } from "./plan.js";
import { progressOf, type Share, writeProgress } from "./progress.js";
import type { Entry } from "./verdicts.js";

const IDS = ["1", "2", "3", "4"];
const QUICK = "test/quick.test.ts";
const SLOW = "test/slow.test.ts";

/** The mutants 1 to 3 are reached in a quick file and in a slow one; nothing reaches 4. */
const files: readonly Reach[] = [[QUICK, 800] as const, [SLOW, 9_800] as const].map(([path, ms]) => {
  const tests = [{ id: path, name: "all", ms, hits: { 1: 1, 2: 1, 3: 1 } }];
  return { path, loading: {}, hooks: {}, tests };
});

function share(...entries: readonly Entry[]): Share {
  const mutants = IDS.map((id) => ({ id, file: "src/a.ts" }));
  return { mutants, stages: planStages(mutants, files), entries };
}

const survived = (path: string, id: string): Entry => ({ path, id, verdict: "survived", isNoticed: false, hits: 1 });
const killed = (path: string, id: string): Entry => ({ path, id, verdict: "killed", isNoticed: true, hits: 1 });

describe("the progress of a run", () => {
  it("counts a mutant as judged once a test notices it, or once no test is left that could", () => {
    expect(progressOf([share()], 0)).toMatchObject({ all: 4, judged: 1, survived: 1 });
    expect(progressOf([share(survived(QUICK, "1"))], 1_000)).toMatchObject({ judged: 1, survived: 1 });
    expect(progressOf([share(killed(QUICK, "1"))], 1_000)).toMatchObject({ judged: 2, survived: 1 });
    const both = [survived(QUICK, "1"), survived(SLOW, "1"), { path: QUICK, id: "2", began: true } as const];
    expect(progressOf([share(...both)], 11_000)).toMatchObject({ judged: 2, survived: 2 });
  });

  it("tells how long the rest takes from the time of the tests that are left, for the process that has most to do", () => {
    expect(progressOf([share()], 0)).not.toHaveProperty("leftMs");
    // A quick play takes 1 second and a slow one 10; of 33 seconds, 1 is over.
    const one = share(survived(QUICK, "1"));
    expect(progressOf([one], 1_000).leftMs).toBe(32_000);
    expect(progressOf([one], 2_000).leftMs).toBe(64_000);
    const done = share(...["1", "2", "3"].map((id) => killed(QUICK, id)));
    expect(progressOf([done], 3_000)).toEqual({ all: 4, judged: 4, survived: 1, leftMs: 0 });
    expect(progressOf([done, one], 3_000)).toEqual({ all: 8, judged: 5, survived: 2, leftMs: 96_000 });
  });

  it("expects that tests notice as many mutants as until now, which are then not played on", () => {
    // Half of the plays were noticed: 10 seconds of the second mutant are left, and of the third 1, and 10 in half of all cases.
    expect(progressOf([share(killed(QUICK, "1"), survived(QUICK, "2"))], 2_000).leftMs).toBe(16_000);
    expect(progressOf([share(killed(QUICK, "1"))], 1_000).leftMs).toBe(2_000);
  });

  it("never goes back, and ends with all judged, whatever tests notice", () => {
    const plays = [QUICK, SLOW].flatMap((path) => ["1", "2", "3"].map((id) => [path, id] as const));
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: plays.length, maxLength: plays.length }), (isKilled) => {
        const entries = plays.map(([path, id], at) => (isKilled[at] === true ? killed : survived)(path, id));
        const counts = entries.map((_, at) => progressOf([share(...entries.slice(0, at + 1))], 1).judged);
        expect(counts).toEqual(counts.toSorted((before, after) => before - after));
        expect(counts.at(-1)).toBe(IDS.length);
      }),
    );
  });

  it("is one line", () => {
    const counts = { all: 300, judged: 120, survived: 14 };
    expect(writeProgress("relay", counts)).toBe("relay: 120 of 300 judged, 14 survived");
    expect(writeProgress("relay", { ...counts, leftMs: 301_000 })).toBe(
      "relay: 120 of 300 judged, 14 survived, about 6 min left",
    );
  });
});
