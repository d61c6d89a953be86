// `npm run soak -- planted`: every planted bug is found, and by how many seeds. Prints the tables that stand in
// docs/simulation.md. `--runs` is how many seeds are played at most.

import { expect, it, vi } from "vitest";
import { INTERLEAVING_BUGS } from "../interleaving-bugs.js";
import { plant } from "../plant.js";
import { PLANTED_BUGS } from "../planted-bugs.js";
import { playSeeds, type Played } from "../play-seeds.js";

/** All of these are played, to see how often a bug shows; further ones until it does. */
const FIRST = 100;
const RUNS = process.env["POSTRIDER_RUNS"];
const MAX_SEEDS = Number(RUNS ?? 2_000);
/** All of these are played, and of the later ones those in which faults meet or the store takes longer. */
const FIRST_INTERLEAVING = 300;
const MAX_INTERLEAVING_SEEDS = Number(RUNS ?? 20_000);
/** A fleet costs several times as much. */
const FLEETS_LESS = 5;
const PLAYED_AT_ONCE = 2;

vi.setConfig({ maxConcurrency: PLAYED_AT_ONCE });

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

it.concurrent.each(INTERLEAVING_BUGS)("$name is found where faults meet", async ({ name, what, edits, needs }) => {
  const copy = plant(edits);
  try {
    const one = await findMeeting(copy.program, false);
    const fleet = one === undefined ? await findMeeting(copy.program, true) : undefined;
    const seed = one?.seed ?? (fleet && `several servers: ${fleet.seed}`) ?? "";
    const found = one ?? fleet;
    console.log(`| ${name} | ${what} | ${seed} | ${found ? checksOf(found) : `none found; needs ${needs}`} |`);
    if (needs === undefined) expect(found).toBeDefined();
  } finally {
    copy.remove();
  }
});

type Failure = Played["failed"][number];

/** The first failure, of one machine or of several servers. */
async function findMeeting(program: string, fleets: boolean): Promise<Failure | undefined> {
  const times = fleets ? 1 / FLEETS_LESS : 1;
  const until = 1 + Math.min(FIRST_INTERLEAVING, MAX_INTERLEAVING_SEEDS) * times;
  const first = await playSeeds(program, { from: 1, until, stopsAtFirst: true, fleets });
  if (first.failed[0] !== undefined) return first.failed[0];
  const more = { from: until, until: 1 + MAX_INTERLEAVING_SEEDS * times, stopsAtFirst: true, fleets, meeting: true };
  return (await playSeeds(program, more)).failed[0];
}

function checksOf(found: Failure | undefined): string {
  return found?.checks.map((check) => `\`${check}\``).join(", ") ?? "NOT FOUND";
}
