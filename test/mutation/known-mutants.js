// The mutants of `known.json`, which the tests are known to notice: finds them again in the code, and writes those of a run.
// A mutant is known by what it makes of which code, since its id and its line change with every edit.

import { readFileSync, writeFileSync } from "node:fs";

const FILE = new URL("known.json", import.meta.url);

/**
 * @typedef {object} Known
 * @property {string} package
 * @property {string} file - of the source
 * @property {string} before - the code, its first line
 * @property {string} what - what becomes of it
 * @property {number} place - among those of the file that are alike in all this, from 0
 * @property {string} path - the test file that notices it
 * @property {string} by - the test
 */

/** @returns {readonly Known[]} */
export function readKnown() {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

/** Takes the place of the known mutants of a package with the first `count` that a run has killed. */
export function writeKnown(name, { mutants, chosen, verdicts, count }) {
  const killed = chosen.filter(({ id }) => verdicts.get(id).kind === "killed" && verdicts.get(id).path !== undefined);
  const rows = killed.slice(0, count).map((mutant) => {
    const { path, by } = verdicts.get(mutant.id);
    const { file, before, what } = mutant;
    return { package: name, file, before, what, place: alike(mutants, mutant).indexOf(mutant), path, by };
  });
  const others = readKnown().filter((known) => known.package !== name);
  writeFileSync(FILE, `${JSON.stringify([...others, ...rows], null, 2)}\n`);
}

/** The mutant of a row, or undefined if its code has changed. */
export function findKnown(mutants, known) {
  return alike(mutants, known)[known.place];
}

function alike(mutants, { file, before, what }) {
  return mutants.filter((mutant) => mutant.file === file && mutant.before === before && mutant.what === what);
}
