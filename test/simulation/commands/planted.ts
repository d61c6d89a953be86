// `npm run simulate:planted`: every planted bug is found, and by how many seeds. Prints the table that stands in
// docs/simulation.md.

import { expect, it } from "vitest";
import { plant } from "../plant.js";
import { PLANTED_BUGS } from "../planted-bugs.js";
import { playSeeds } from "../play-seeds.js";

const MAX_SEEDS = Number(process.env["POSTRIDER_RUNS"] ?? 2_000);
/** So many seeds more, to see how often it is found. */
const SHARE_OF = 100;

it.each(PLANTED_BUGS)("$name is found", async ({ name, what, edits }) => {
  const copy = plant(edits);
  try {
    const first = await playSeeds(copy.program, { from: 1, until: 1 + MAX_SEEDS, stopsAtFirst: true });
    const some = await playSeeds(copy.program, { from: 1, until: 1 + SHARE_OF });
    const check = first.failed[0]?.checks.join(", ") ?? "NOT FOUND";
    console.log(`| ${name} | ${what} | ${first.seeds} | ${some.failed.length} of ${SHARE_OF} | ${check} |`);
    expect(first.failed).toHaveLength(1);
  } finally {
    copy.remove();
  }
});
