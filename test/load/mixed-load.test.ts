// A short run of the mixed load: nothing may be lost, and no good call refused. Durations are shown by the command.

import { expect, it } from "vitest";
import { PHASES, playMixedLoad } from "./mixed-load.js";

it("loses nothing and refuses no good call beside hard receivers and keyless attackers", async () => {
  const { phases, lost, uncounted } = await playMixedLoad({
    phases: PHASES.length,
    phaseMs: 3_000,
    patienceMs: 60_000,
  });
  expect(phases.map(({ refused }) => refused)).toEqual([0, 0, 0]);
  expect({ lost, uncounted }).toEqual({ lost: 0, uncounted: 0 });
});
