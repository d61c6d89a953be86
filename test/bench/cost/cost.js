// Benchmark 2: what a call costs, in circumstances that differ from those of throughput in one thing each: the server's CPU of a delivered
// call beside a bare POST in the same circumstances, and beside another checkout if there is one.

import { createBare } from "../arms/bare.js";
import { createOurs } from "../arms/ours.js";
import { inRounds, rotated } from "../rounds.js";
import { runArm } from "../run-arm.js";
import { BARE_CONNECTIONS, VARIANT_NAMES } from "../settings.js";
import { baseArms, isWanted } from "../throughput.js";
import { startNeighbours } from "./neighbours.js";
import { VARIANTS } from "./variants.js";

/** Answers for each variant in each round a result for each arm: `rounds[n][variant][arm]`. */
export async function measureCost({ receiver, tell }) {
  const unknown = VARIANT_NAMES?.find((name) => VARIANTS.every((variant) => variant.name !== name));
  if (unknown !== undefined) throw new Error(`there is no variant ${JSON.stringify(unknown)}`);
  const variants = VARIANTS.filter(({ name }) => VARIANT_NAMES?.includes(name) ?? true);
  const run = (variant, round) => runVariant(variant, { receiver, round });
  const describe = (results) =>
    Object.entries(results)
      .map(
        ([arm, { postsPerSecond, cpuUs }]) => `${arm} ${Math.round(postsPerSecond)}/s ${cpuUs.process.toFixed(1)} µs`,
      )
      .join(", ");
  const rounds = await inRounds(variants, { run, describe, tell });
  return { variants, arms: armsOf({}).map(({ name }) => name), rounds };
}

/** Its arms run one after the other, beside the same neighbours; another one begins in each round. */
async function runVariant(variant, { receiver, round }) {
  const neighbours = startNeighbours(variant.neighbours ?? 0);
  const results = {};
  try {
    for (const arm of rotated(armsOf(variant), round)) results[arm.name] = await runArm(arm, receiver, variant);
  } finally {
    await neighbours.stop();
  }
  return results;
}

/** No bare loop beside receivers that take time: what bounds those is how many places a lane has. */
function armsOf({ delayMs, bodyBytes }) {
  const bare = delayMs === undefined ? [createBare(BARE_CONNECTIONS[0], { bodyBytes })] : [];
  return [createOurs(), ...baseArms(), ...bare].filter(isWanted);
}
