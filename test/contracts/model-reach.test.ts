// A model that meets few situations proves little: random commands must cause every answer that the port can give, and
// often, within the runs that the guide tells a user to play. Each two rare ones must follow each other.

import { REGULATIONS } from "@postrider/core";
import { deliveryStoreModelContract } from "@postrider/testkit/contracts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { watchedHarness } from "./reach-storage.js";

const RUNS = 100;
const OFTEN = 4;

const OUTCOMES = ["delivered", "dead", "rescheduled", "released"];

const EVERYTHING = [
  ...["stored", "duplicate", "suppressed", "outdated"].map((kind) => `message ${kind}`),
  ...["duplicate of another process's message", "duplicate of a message that was sent at the same time"],
  ...["replay made", "replay not made", "replay of a delivery that the same commit settles"],
  ...OUTCOMES.flatMap((outcome) => [`settlement of ${outcome} settled`, `settlement of ${outcome} stale`]),
  ...["dead", "rescheduled", "released"].map((outcome) => `settlement of ${outcome} purged`),
  ...["stale by a settlement sent with it", "late attempt appended", "late attempt gone"],
  ...["commit under way stored", "commit under way lost"],
  ...["claimed one never tried", "claimed one tried before", "claimed one under a lease that ended"],
  ...["claim cut short", "claim of a lane with nothing due"],
  ...["some ended", "ended up to the limit", "some brought forward", "brought forward up to the limit"],
  ...["some swept", "swept up to the limit", "page with a next one", "page behind a cursor"],
  ...["seen with deliveries", "seen with none", "nothing seen"],
  ...[...REGULATIONS.map((regulation) => `opened ${regulation}`), "opened a request that is stored"],
  ...["purge done", "purge to be continued", "nothing to purge", "bodies purged"],
  ...["purged by a claim", "purged by an end", "suppressed users behind another"],
  ...["finished", "finished again", "not finished", "finished with a purged claim under way"],
];

it(`the commands of the model bring about everything, at least ${String(OFTEN)} times in ${String(RUNS)} runs`, async () => {
  const counts = new Map<string, number>(EVERYTHING.map((what) => [what, 0]));
  const note = (what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const { run } of deliveryStoreModelContract(() => watchedHarness(note), { runs: RUNS, seed: 4 })) await run();
  expect([...counts].filter(([, times]) => times < OFTEN)).toEqual([]);
  expect([...counts.keys()].sort()).toEqual(EVERYTHING.toSorted());
});

/** The commands of which each two must follow each other, and the trouble of each kind of run. */
const RARE = ["sweep", "claim", "end", "pullIn", "late attempts"];
const RARE_TROUBLES: Readonly<Record<string, readonly string[]>> = {
  none: [],
  crashes: ["the process dies"],
  "several processes": ["one of several processes closes its store"],
  days: ["most of a day passes"],
};
const RUNS_OF_PAIRS = 30;

const KIND = { hasBoard: true, hasRecords: true, sweepsExactly: true };

/** Loaded by its address: testkit is compiled without the types of a browser, which tests have. */
const PLAY_RUNS = new URL("../../packages/testkit/src/contracts/delivery-store/model/play-runs.ts", import.meta.url)
  .href;

/** A command, which is written as its name. */
interface NamedCommand {
  toString(): string;
}

interface ModelRuns {
  readonly runsOf: (kind: object) => fc.Arbitrary<Iterable<NamedCommand>>;
}

for (const [trouble, troubles] of Object.entries(RARE_TROUBLES)) {
  it(`With the trouble "${trouble}", each two rare commands follow each other within ${String(RUNS_OF_PAIRS)} runs`, async () => {
    const { runsOf } = (await import(PLAY_RUNS)) as ModelRuns;
    for (const seed of [1, 2, 3, 4]) {
      for (const hasUsers of [true, false]) {
        const rare = [...RARE, ...troubles, ...(hasUsers ? ["purge"] : [])];
        const found = pairsIn(runsOf({ ...KIND, trouble, hasUsers }), seed);
        const pairs = rare.flatMap((first) => rare.map((second) => `${first}, ${second}`));
        expect(pairs.filter((pair) => !found.has(pair))).toEqual([]);
      }
    }
  });
}

/** The pairs of commands that follow each other in the runs of a seed. */
function pairsIn(runs: fc.Arbitrary<Iterable<NamedCommand>>, seed: number): ReadonlySet<string> {
  const drawn = fc.sample(runs, { numRuns: RUNS_OF_PAIRS, seed, unbiased: true });
  const pairs = drawn.flatMap((commands) => {
    const names = [...commands].flatMap((command) => command.toString().split(", then "));
    const kinds = names.map((name) => name.split(":", 1)[0] ?? "");
    return kinds.map((first, index) => `${first}, ${kinds[index + 1] ?? "the end"}`);
  });
  return new Set(pairs);
}
