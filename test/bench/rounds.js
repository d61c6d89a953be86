// Rounds, in each of which everything runs once. The one that begins is another in each round, so that none always runs after the same
// start.

import { ROUNDS } from "./settings.js";

/**
 * Runs each of `items`, which have names, in each round. `run(item, round)` answers the result, and `describe(result)` a few words for who waits.
 * Answers `rounds[n][name]`.
 */
export async function inRounds(items, { run, describe, tell }) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = {};
    for (const item of rotated(items, round)) {
      results[item.name] = await run(item, round);
      tell(`round ${round + 1} of ${ROUNDS}: ${item.name} ${describe(results[item.name])}`);
    }
    rounds.push(results);
  }
  return rounds;
}

/** The same items, beginning with another one in each round. */
export function rotated(items, round) {
  const start = items.length === 0 ? 0 : round % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
