// Benchmark 5: how long core takes to map, write and sign a call, beside JSON.stringify and createHmac alone on the same
// message.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ROUNDS, RUN_MS, WARM_UP_MS } from "./settings.js";
import { shuffled } from "./statistics.js";

const PROGRAM = fileURLToPath(new URL("core-process.js", import.meta.url));
const RUNS = ["core", "core again", "bare", "bare again"];

/** Answers for each arm in each round `{ perSecond, bytes, signature }`, of a call that is the same for all. */
export async function measureCore({ tell }) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = {};
    for (const name of shuffled(RUNS)) {
      const words = [PROGRAM, name.replace(" again", ""), String(RUN_MS), String(WARM_UP_MS)];
      const { stdout } = await promisify(execFile)(process.execPath, words);
      results[name] = JSON.parse(stdout);
      tell(`${name} ${Math.round(results[name].perSecond)}/s`);
    }
    rounds.push(results);
  }
  return { arms: RUNS, rounds };
}
