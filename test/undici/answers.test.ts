import { createSeededRandom } from "@postrider/memory";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { drawAnswer } from "./draw-answer.js";
import { createPlayer, stopTimers } from "./play-answer.js";
import { drawSecond, playSecond } from "./play-second.js";

const AT_ONCE = 64;

describe("any answer, in any pieces,", () => {
  beforeAll(stopTimers);
  afterAll(() => void vi.useRealTimers());

  it("is the same reply, and leaves the same connection, as with undici alone", async () => {
    const players = Array.from({ length: AT_ONCE }, createPlayer);
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = createSeededRandom(seed);
        const differing = await Promise.all(players.map((play) => play(drawAnswer(random))));
        expect(differing.filter((difference) => difference !== undefined)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it("and a second one, early or late: it is the next request's only if that had gone out, and then also undici's", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = createSeededRandom(seed);
        const played = await Promise.all(Array.from({ length: AT_ONCE }, () => playSecond(drawSecond(random))));
        expect(played.filter(({ ours, oursHadSent, theirs }) => ours && !(oursHadSent && theirs))).toEqual([]);
      }),
      { numRuns: 5 },
    );
  });
});
