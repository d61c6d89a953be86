// The error of a simulation in which a promise was broken: it names the promise, the options that repeat the run, and
// the last lines of the trace.

import { type BrokenPromise, CHECKS, FLEET_CHECKS } from "./checks.js";
import type { SimulationOptions } from "./simulation.js";

/** The error with which `simulate` rejects if a promise was broken. */
export interface SimulationFailure extends Error {
  readonly seed: number;
  /** In the order in which they were broken. */
  readonly broken: readonly BrokenPromise[];
}

const WORDS = { ...CHECKS, ...FLEET_CHECKS };
/** How many broken promises the message describes. */
const MAX_TOLD = 5;

export function createSimulationFailure(
  options: SimulationOptions,
  broken: readonly BrokenPromise[],
  story: readonly string[],
): SimulationFailure {
  const { seed = 1 } = options;
  const told = broken
    .slice(0, MAX_TOLD)
    .map(({ check, what, atMs }) => `  ${check} at ${String(atMs)} ms: ${what}\n    (${WORDS[check]})`);
  const message = [
    `${String(broken.length)} promises broken, the first of them:`,
    ...told,
    `To repeat the run: simulate(${JSON.stringify({ seed, ...options })})`,
    "The last lines of the trace:",
    ...story.map((line) => `  ${line}`),
  ].join("\n");
  return Object.assign(new Error(message), { seed, broken });
}
