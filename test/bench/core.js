// Benchmark 6: how long core takes to map, write and sign a call, beside JSON.stringify and createHmac alone on the same
// message.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inRounds } from "./rounds.js";
import { RUN_MS, WARM_UP_MS } from "./settings.js";

const PROGRAM = fileURLToPath(new URL("core-process.js", import.meta.url));
const RUNS = ["core", "core again", "bare", "bare again"];

/** Answers for each arm in each round `{ perSecond, bytes, signature }`, of a call that is the same for all. */
export async function measureCore({ tell }) {
  const run = async ({ name }) => {
    const words = [PROGRAM, name.replace(" again", ""), String(RUN_MS), String(WARM_UP_MS)];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    return JSON.parse(stdout);
  };
  const describe = ({ perSecond }) => `${Math.round(perSecond)}/s`;
  const rounds = await inRounds(
    RUNS.map((name) => ({ name })),
    { run, describe, tell },
  );
  return { arms: RUNS, rounds };
}
