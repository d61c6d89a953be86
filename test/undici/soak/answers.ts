// `npm run soak -- answers`: a million answers, good and bad, in one piece or in several, to one of our connections and to undici
// alone: the same reply, and the same connection, each time. Then as many second answers, early, late and with the first: none is
// the next request's unless that had gone out. POSTRIDER_RUNS draws more or fewer, POSTRIDER_SEED others.

import { env } from "node:process";
import { createSeededRandom } from "@postrider/memory";
import { expect, it } from "vitest";
import { readPlainAnswer } from "../../../packages/undici/src/answer.js";
import { drawAnswer } from "../draw-answer.js";
import { createPlayer, type Difference, stopTimers } from "../play-answer.js";
import { drawSecond, playSecond, type SecondAnswer } from "../play-second.js";

const COUNT = Number(env["POSTRIDER_RUNS"] ?? 1_000_000);
const AT_ONCE = 200;
const TELL_EVERY = 50_000;
const MAX_SHOWN = 20;

it("a million answers are what undici alone makes of them", async () => {
  stopTimers();
  const seed = Number(env["POSTRIDER_SEED"] ?? 1);
  const random = createSeededRandom(seed);
  const players = Array.from({ length: AT_ONCE }, createPlayer);
  const counts = { played: 0, readInPlace: 0, differ: 0 };
  const shown: Difference[] = [];
  while (counts.played < COUNT) {
    const answers = Array.from({ length: AT_ONCE }, () => drawAnswer(random));
    counts.readInPlace += answers.filter(({ pieces: [first] }) => first && readPlainAnswer(first)).length;
    const played = await Promise.all(players.map((play, index) => play(answers[index]!)));
    const differing = played.filter((one) => one !== undefined);
    counts.played += AT_ONCE;
    counts.differ += differing.length;
    shown.push(...differing.slice(0, MAX_SHOWN - shown.length));
    if (counts.played % TELL_EVERY === 0) console.log({ seed, ...counts });
  }
  console.log({ seed, ...counts });
  expect(shown).toEqual([]);
});

it("of a million second answers, none is the next request's unless that had gone out, and none that is not undici's too", async () => {
  stopTimers();
  const seed = Number(env["POSTRIDER_SEED"] ?? 1);
  const random = createSeededRandom(seed);
  const counts = { played: 0, ours: 0, theirs: 0 };
  const shown: SecondAnswer[] = [];
  while (counts.played < COUNT) {
    const drawn = Array.from({ length: AT_ONCE }, () => drawSecond(random));
    const played = await Promise.all(drawn.map(playSecond));
    counts.played += AT_ONCE;
    counts.ours += played.filter(({ ours }) => ours).length;
    counts.theirs += played.filter(({ theirs }) => theirs).length;
    const wrong = drawn.filter((_, index) => {
      const { ours, oursHadSent, theirs } = played[index]!;
      return ours && !(oursHadSent && theirs);
    });
    shown.push(...wrong.slice(0, MAX_SHOWN - shown.length));
    if (counts.played % TELL_EVERY === 0) console.log({ seed, ...counts });
  }
  console.log({ seed, ...counts });
  expect(shown).toEqual([]);
});
