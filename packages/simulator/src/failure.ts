// The error of a simulation that has broken a promise: it names the promise, how to repeat the run, and what happened
// before.

import { type BrokenPromise, CHECKS } from "./checks.js";
import type { SimulationOptions } from "./simulation.js";

/** What `simulate` rejects with. */
export interface SimulationFailure extends Error {
  readonly seed: number;
  /** In the order in which they were broken. */
  readonly broken: readonly BrokenPromise[];
}

/** Broken promises that the message describes in full. */
const MAX_TOLD = 5;

export function simulationFailure(
  options: SimulationOptions,
  broken: readonly BrokenPromise[],
  story: readonly string[],
): SimulationFailure {
  const { seed = 1 } = options;
  const told = broken
    .slice(0, MAX_TOLD)
    .map(({ check, what, atMs }) => `  ${check} at ${String(atMs)} ms: ${what}\n    (${CHECKS[check]})`);
  const message = [
    `${String(broken.length)} promises broken, the first of them:`,
    ...told,
    `To see it again: simulate(${JSON.stringify({ seed, ...options })})`,
    "What happened last:",
    ...story.map((line) => `  ${line}`),
  ].join("\n");
  return Object.assign(new Error(message), { seed, broken });
}
