import { createSeededRandom } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { canTrace, warnWithoutTrace } from "./can-trace.js";
import { kindsOf } from "./judge.js";
import { cutPower } from "./power-cuts.js";
import { recordLife } from "./record-life.js";

const SEED = 4;

warnWithoutTrace("power cuts");

describe.skipIf(!canTrace)("a power cut at any moment", () => {
  it("loses nothing that was answered 200, and leaves a file with which a server can continue", async () => {
    const life = await recordLife({ calls: 12 });
    const { findings, ...report } = await cutPower({ life, images: 100, random: createSeededRandom(SEED) });
    console.log(JSON.stringify({ ...report, steps: life.steps.length }));
    expect(findings).toEqual([]);
  });

  it("loses calls if commits are not synced", async () => {
    const life = await recordLife({ calls: 6, alterations: ["no-sync"] });
    const { findings } = await cutPower({ life, images: 40, random: createSeededRandom(SEED) });
    expect(kindsOf(findings)).toContain("lost");
  });
});
