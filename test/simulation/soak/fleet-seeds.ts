// `npm run soak -- fleets`: two thousand seeds of several servers on one store, two processes side by side. Prints in how many
// seeds each promise is broken, and by which seed first; none may be.

import { FLEET_CHECKS } from "@postrider/simulator";
import { expect, it } from "vitest";
import { PROGRAM, playSeeds } from "../play-seeds.js";

const WORKERS = 2;

it("several servers break no promise", async () => {
  const runs = Number(process.env["POSTRIDER_RUNS"] ?? 2_000);
  const parts = await Promise.all(
    Array.from({ length: WORKERS }, (_, worker) =>
      playSeeds(PROGRAM, { from: 1 + worker, until: 1 + runs, step: WORKERS, fleets: true }),
    ),
  );
  const failed = parts.flatMap((part) => part.failed).sort((one, other) => one.seed - other.seed);
  const names = new Set([...Object.keys(FLEET_CHECKS), ...failed.flatMap(({ checks }) => checks)]);
  for (const name of names) {
    const seeds = failed.filter(({ checks }) => checks.includes(name)).map(({ seed }) => seed);
    console.log(`${name}: ${seeds.length === 0 ? "held" : `broken in ${seeds.length}, first by ${seeds[0]}`}`);
  }
  for (const { message } of failed.slice(0, 3)) console.log(message);
  expect(failed.map(({ seed, checks }) => ({ seed, checks }))).toEqual([]);
});
