import { createSeededRandom } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { liveThroughKills } from "./kill-cycles.js";
import { kindsOf } from "./judge.js";
import type { Alteration } from "./site.js";

const SEED = 4;

describe("kill -9 under load", () => {
  it("loses nothing that was answered 200, settles each delivery once, and repeats only what was under way", async () => {
    const { findings, ...report } = await liveThroughKills({ cycles: 10, random: createSeededRandom(SEED) });
    console.log(JSON.stringify(report));
    expect(findings).toEqual([]);
    expect(report.recoveryMs).toBeLessThan(Infinity);
  });

  it("makes a server that answers early or drops settlements fail the check", async () => {
    const found = async (alteration: Alteration) => {
      const options = {
        cycles: 4,
        random: createSeededRandom(SEED),
        alterations: [alteration],
        settledWithinMs: 16_000,
      };
      return kindsOf((await liveThroughKills(options)).findings);
    };
    const [early, dropping] = await Promise.all([found("early-answers"), found("drop-settlements")]);
    expect(early).toContain("lost");
    expect(dropping).toEqual(expect.arrayContaining(["not-delivered", "seen-too-often"]));
  });
});
