// Plays the mutants of `known.json` in the tests that are known to notice them: a survivor is a test that has lost its point.
// `test:all` runs this. Its exit status is 1 if one survives, or if too few are left in the code.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyTree, instrument } from "./instrument.js";
import { findReach, judgeAll } from "./judge.js";
import { findKnown, readKnown } from "./known-mutants.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Of fewer than this share the run would prove little. */
const MIN_SHARE_FOUND = 0.75;

const folder = mkdtempSync(join(tmpdir(), "postrider-mutation-"));
try {
  process.exitCode = await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main() {
  const copy = join(folder, "copy");
  const all = readKnown();
  copyTree(ROOT, copy);
  const mutants = await instrument({ root: ROOT, copy, paths: distinct(all.map(({ file }) => file)) });
  const found = all.flatMap((known) => {
    const mutant = findKnown(mutants, known);
    return mutant === undefined ? [] : [{ known, mutant }];
  });
  const chosen = found.map(({ mutant }) => mutant);
  const files = await findReach({ copy, tests: distinct(found.map(({ known }) => known.path)) });
  const verdicts = await judgeAll(chosen, { copy, files });
  const missed = found.filter(({ mutant }) => ["survived", "not reached"].includes(verdicts.get(mutant.id).kind));
  for (const { known, mutant } of missed)
    console.error(
      `${verdicts.get(mutant.id).kind} ${mutant.file}:${String(mutant.line)} \`${mutant.before}\` -> ${mutant.what}: ` +
        `"${known.by}" in ${known.path} noticed it`,
    );
  console.log(`mutation: ${String(found.length - missed.length)} of ${String(found.length)} known mutants noticed`);
  const isEnough = found.length >= MIN_SHARE_FOUND * all.length;
  if (!isEnough)
    console.error(
      `mutation: the code of ${String(all.length - found.length)} of ${String(all.length)} known mutants has changed: ` +
        "MUTATION_KNOWN=5 npm run soak -- mutation PACKAGE --runs 40 writes new ones",
    );
  return missed.length === 0 && isEnough ? 0 : 1;
}

function distinct(items) {
  return [...new Set(items)];
}
