// `npm run soak -- planted`: every planted bug is found, and by how many seeds. Prints the tables that stand in
// docs/simulation.md. `--runs` is how many seeds are played at most.

import { expect, it } from "vitest";
import { INTERLEAVING_BUGS } from "../interleaving-bugs.js";
import { plant } from "../plant.js";
import { PLANTED_BUGS } from "../planted-bugs.js";
import { playSeeds, type Played } from "../play-seeds.js";

/** All of these are played, to see how often a bug shows; further ones until it does. */
const FIRST = 100;
const RUNS = process.env["POSTRIDER_RUNS"];
const MAX_SEEDS = Number(RUNS ?? 2_000);
/** Of these, the seeds that draw faults that meet are played: one in four. */
const MAX_INTERLEAVING_SEEDS = Number(RUNS ?? 20_000);

it.each(PLANTED_BUGS)("$name is found", async ({ name, what, edits }) => {
  const copy = plant(edits);
  try {
    const first = await playSeeds(copy.program, { from: 1, until: 1 + FIRST });
    const more = { from: 1 + FIRST, until: 1 + MAX_SEEDS, stopsAtFirst: true };
    const found = first.failed[0] ?? (await playSeeds(copy.program, more)).failed[0];
    console.log(`| ${name} | ${what} | ${found?.seed} | ${first.failed.length} | ${checksOf(found)} |`);
    expect(found).toBeDefined();
  } finally {
    copy.remove();
  }
});

it.each(INTERLEAVING_BUGS)("$name is found where faults meet", async ({ name, what, edits, needs }) => {
  const copy = plant(edits);
  try {
    const seeds = { from: 1, until: 1 + MAX_INTERLEAVING_SEEDS, stopsAtFirst: true, meeting: true };
    const [one, fleet] = await Promise.all([
      playSeeds(copy.program, seeds),
      playSeeds(copy.program, { ...seeds, until: 1 + MAX_INTERLEAVING_SEEDS / FLEETS_LESS, fleets: true }),
    ]);
    const found = one.failed[0] ?? fleet.failed[0];
    const shown = (part: Played): string => String(part.failed[0]?.seed ?? "");
    console.log(`| ${name} | ${what} | ${shown(one)} | ${shown(fleet)} | ${found ? checksOf(found) : needs} |`);
    if (needs === undefined) expect(found).toBeDefined();
  } finally {
    copy.remove();
  }
});

/** A fleet costs several times as much. */
const FLEETS_LESS = 5;

function checksOf(found: Played["failed"][number] | undefined): string {
  return found?.checks.map((check) => `\`${check}\``).join(", ") ?? "NOT FOUND";
}
