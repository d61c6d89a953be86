// Plays each rare bug in its simulation, and each simulation without its bug: needs `dist`, which `npm test` builds first.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { simulate } from "@postrider/simulator";
import { expect, it } from "vitest";
import { plant } from "./plant.js";
import { RARE_BUGS } from "./rare-bugs.js";

const run = promisify(execFile);

it.each(RARE_BUGS)("a planted bug that few seeds show is found: $name", async ({ edits, options, breaks }) => {
  const copy = plant(edits, "play-options.js");
  try {
    const { stdout } = await run(process.execPath, [copy.program, JSON.stringify(options)]);
    expect(JSON.parse(stdout)).toEqual(breaks);
  } finally {
    copy.remove();
  }
});

it.each(RARE_BUGS)("its simulation keeps every promise without it: $name", async ({ options }) => {
  const { calls } = await simulate(options);
  expect(calls).toBe(options.load?.calls);
});
