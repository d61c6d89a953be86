// A small part of `npm run soak -- planted`, which plays all of them: needs `dist`, which `npm test` builds first.

import { describe, expect, it } from "vitest";
import { INTERLEAVING_BUGS } from "./interleaving-bugs.js";
import { plant, tryEdit } from "./plant.js";
import { PLANTED_BUGS } from "./planted-bugs.js";
import { playSeeds } from "./play-seeds.js";

/** Bugs that the first seeds show. */
const PLAIN = [
  "ack before commit",
  "same lease twice",
  "body stringified again",
  "counters in another commit",
  "the first round decides",
  "a refusal is for good at once",
  "the last page of a job left out",
  "a test event sent twice",
];
/** Bugs that the first seeds show in which faults meet: one in four of all. */
const MEETING = ["a claim's lease from its answer", "a commit's lease from its answer"];
const MEETING_SEEDS = 300;
/** Playing ends with the first seed that shows the bug. */
const SEEDS = 24;
const FEW = 4;

describe("a planted bug", () => {
  it.each([...PLANTED_BUGS, ...INTERLEAVING_BUGS])("still fits what is built: $name", ({ edits }) => {
    for (const edit of edits) tryEdit(edit);
  });

  it("that does not fit throws", () => {
    const edit = { file: "relay/dist/relay.js", from: "no such words", to: "" };
    expect(() => tryEdit(edit)).toThrow("relay/dist/relay.js holds what is to be edited 0 times, not once");
  });

  it.each(PLANTED_BUGS.filter(({ name }) => PLAIN.includes(name)))("is found: $name", async ({ edits }) => {
    const copy = plant(edits);
    const { failed } = await playSeeds(copy.program, { from: 1, until: 1 + SEEDS, stopsAtFirst: true });
    copy.remove();
    expect(failed).toHaveLength(1);
    expect(failed[0]?.message).toMatch(/^\d+ promises broken, the first of them:\n {2}[a-z-]+ at [\d.]+ ms: /);
    expect(failed[0]?.message).toContain(`To repeat the run: simulate({"seed":${failed[0]?.seed},`);
  });

  it.each(INTERLEAVING_BUGS.filter(({ name }) => MEETING.includes(name)))(
    "is found where faults meet: $name",
    async ({ edits }) => {
      const copy = plant(edits);
      const until = 1 + MEETING_SEEDS;
      const { failed } = await playSeeds(copy.program, { from: 1, until, stopsAtFirst: true, meeting: true });
      copy.remove();
      expect(failed[0]?.checks).toContain("room-in-the-lease");
    },
  );

  it("is not in a copy without one", async () => {
    const copy = plant([]);
    const { failed } = await playSeeds(copy.program, { from: 1, until: 1 + FEW });
    copy.remove();
    expect(failed).toEqual([]);
  });
});
