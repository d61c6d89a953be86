// Replay jobs through a cancel and a few kills. `npm run soak -- replays` does the same with 100,000 deliveries.

import { createSeededRandom } from "@postrider/memory";
import { expect, it } from "vitest";
import { replayThroughKills } from "./killed-replays.js";

it("kill -9 during a replay job replays nothing twice, and loses nothing of it", async () => {
  const random = createSeededRandom(11);
  const { findings, ...report } = await replayThroughKills({ deliveries: 10_000, kills: 2, random });
  console.log(JSON.stringify(report));
  expect(findings).toEqual([]);
});
