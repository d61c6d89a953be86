// The run of expensive requests in small: that each is answered as it must be, and that the turns of the loop are watched. What
// they cost is for the command to say.

import { expect, it } from "vitest";
import { playExpensive } from "./expensive/play-expensive.js";

const REQUESTS = 12;

it("takes what is lawful, refuses what is not, and knows which request a turn was for", async () => {
  const { watched, wrong } = await playExpensive({ requests: REQUESTS, firstSeed: 1, warmUp: 0 });
  expect(wrong).toEqual([]);
  expect(watched.turns).toBeGreaterThan(REQUESTS);
  expect(watched.worst.map(({ requests }) => requests.join()).join()).toContain("seed ");
});
