// A short run of expensive requests: each must be answered correctly, and the turns of the loop are measured. Their cost is
// shown by the command.

import { expect, it } from "vitest";
import { playExpensive } from "./expensive/play-expensive.js";

const REQUESTS = 12;

it("accepts valid requests, refuses others, and knows which request a turn was for", async () => {
  const { watched, wrong } = await playExpensive({ requests: REQUESTS, firstSeed: 1, warmUp: 0 });
  expect(wrong).toEqual([]);
  expect(watched.turns).toBeGreaterThan(REQUESTS);
  expect(watched.worst.map(({ requests }) => requests.join()).join()).toContain("seed ");
});
