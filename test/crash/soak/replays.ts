// `npm run soak -- replays`: 100,000 dead deliveries are previewed, replayed by a job that is cancelled half-way, and by a second one
// through ten kills of its server.

import { env } from "node:process";
import { createSeededRandom } from "@postrider/memory";
import { expect, it } from "vitest";
import { replayThroughKills } from "../killed-replays.js";

const SEED = Number(env["CRASH_SEED"] ?? 12);

it("replay jobs of 100,000 deliveries through a cancel and kill -9", async () => {
  const random = createSeededRandom(SEED);
  const { findings, ...report } = await replayThroughKills({ deliveries: 100_000, kills: 10, random });
  console.log(JSON.stringify(report));
  expect(findings).toEqual([]);
});
