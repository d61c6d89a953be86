// Fixes the seed of every property, so that a run can be repeated: tests call `fc.assert` in a plain `it` and nothing
// else. A failure prints its seed and path; POSTRIDER_SEED=n plays another seed, POSTRIDER_RUNS=n plays more cases.

import fc from "fast-check";

const DEFAULT_SEED = 20_260_131;
const DEFAULT_RUNS = 100;

fc.configureGlobal({
  seed: wholeNumber("POSTRIDER_SEED", DEFAULT_SEED),
  numRuns: wholeNumber("POSTRIDER_RUNS", DEFAULT_RUNS),
});

function wholeNumber(name: string, otherwise: number): number {
  const text = process.env[name];
  if (text === undefined || text === "") return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a whole number`);
  return value;
}
