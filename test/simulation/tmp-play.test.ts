import { it } from "vitest";
import { plant } from "./plant.js";
import { REQUEST_BUGS } from "./request-bugs.js";
import { playSeeds } from "./play-seeds.js";
it.each(REQUEST_BUGS)("$name", async ({ name, edits }) => {
  const copy = plant(edits);
  try {
    const { failed, seeds } = await playSeeds(copy.program, { from: 1, until: 400, stopsAtFirst: true });
    console.log("FOUND", name, seeds, failed[0]?.seed, failed[0]?.checks);
  } finally { copy.remove(); }
}, 600_000);
