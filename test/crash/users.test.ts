// Syncs and deletions through a few kills. `npm run soak -- people` does the same a hundred times, with more users.

import { createSeededRandom } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { deleteThroughKills } from "./killed-deletions.js";
import { syncThroughKills } from "./killed-syncs.js";

const SEED = 4;

describe("kill -9", () => {
  it("during a sync loses no change, and repeats only what was under way", async () => {
    const { findings, ...report } = await syncThroughKills({
      members: 3_000,
      kills: 4,
      random: createSeededRandom(SEED),
    });
    console.log(JSON.stringify(report));
    expect(findings).toEqual([]);
  });

  it("during a deletion loses no notice, and sends no earlier message of the user", async () => {
    const { findings, ...report } = await deleteThroughKills({
      users: 1_000,
      kills: 3,
      random: createSeededRandom(SEED),
    });
    console.log(JSON.stringify(report));
    expect(findings).toEqual([]);
  });
});
