// `npm run soak -- planted`: every planted bug is found, and by how many seeds. Prints the table that stands in
// docs/simulation.md. `--runs` is how many seeds are played at most.

import { expect, it } from "vitest";
import { plant } from "../plant.js";
import { PLANTED_BUGS } from "../planted-bugs.js";
import { playSeeds } from "../play-seeds.js";

/** All of these are played, to see how often a bug shows; further ones until it does. */
const FIRST = 100;
const MAX_SEEDS = Number(process.env["POSTRIDER_RUNS"] ?? 2_000);

it.each(PLANTED_BUGS)("$name is found", async ({ name, what, edits }) => {
  const copy = plant(edits);
  try {
    const first = await playSeeds(copy.program, { from: 1, until: 1 + FIRST });
    const more = { from: 1 + FIRST, until: 1 + MAX_SEEDS, stopsAtFirst: true };
    const found = first.failed[0] ?? (await playSeeds(copy.program, more)).failed[0];
    const checks = found?.checks.map((check) => `\`${check}\``).join(", ") ?? "NOT FOUND";
    console.log(`| ${name} | ${what} | ${found?.seed} | ${first.failed.length} | ${checks} |`);
    expect(found).toBeDefined();
  } finally {
    copy.remove();
  }
});
