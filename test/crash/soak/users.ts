// `npm run soak -- people`: a hundred kills in first syncs of 100,000 members, and a hundred in deletions of 5,000 users
// whose calls wait. Kills are counted over several lives, since a finished life cannot be killed any more. CRASH_SHARE=0.1
// does a tenth of the kills, CRASH_SEED=n draws other moments.

import { env } from "node:process";
import { createSeededRandom } from "@postrider/memory";
import { expect, it } from "vitest";
import { deleteThroughKills } from "../killed-deletions.js";
import { syncThroughKills } from "../killed-syncs.js";

const SEED = Number(env["CRASH_SEED"] ?? 4);
const KILLS = Math.max(1, Number(env["CRASH_PERCENT"] ?? 100));
const MEMBERS = 100_000;
const USERS = 5_000;
const KILLS_A_LIFE = 25;

it("first syncs of 100,000 members through kill -9", async () => {
  let done = 0;
  while (done < KILLS) {
    const kills = Math.min(KILLS_A_LIFE, KILLS - done);
    const { findings, ...report } = await syncThroughKills({
      members: MEMBERS,
      kills,
      random: createSeededRandom(SEED + done),
    });
    done += kills;
    console.log(`${String(done)} kills: ${JSON.stringify(report)}`);
    expect(findings).toEqual([]);
  }
});

it("deletions of 5,000 users through kill -9", async () => {
  let done = 0;
  while (done < KILLS) {
    const { findings, ...report } = await deleteThroughKills({
      users: USERS,
      kills: Math.min(KILLS_A_LIFE, KILLS - done),
      random: createSeededRandom(SEED + done),
    });
    done += report.kills;
    console.log(`${String(done)} kills: ${JSON.stringify(report)}`);
    expect(findings).toEqual([]);
  }
});
