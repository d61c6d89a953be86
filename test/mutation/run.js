// `npm run soak -- mutation PACKAGE`: changes decisions of a package on purpose, one at a time, and tells which changes no test
// notices. Its exit status is 1 if the score is below what the package must reach. `sql` in place of a package: see sql.js.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyTree, instrument, sourcesOf } from "./instrument.js";
import { findReach, judgeAll } from "./judge.js";
import { writeKnown } from "./known-mutants.js";
import { PACKAGES } from "./packages.js";
import { writeProgress } from "./progress.js";
import { sample, scoreOf } from "./score.js";
import { playSql } from "./sql.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DEFAULT_MUTANTS = 300;
const DEFAULT_SEED = 1;

const folder = mkdtempSync(join(tmpdir(), "postrider-mutation-"));
try {
  process.exitCode = await main(process.argv[2] ?? "");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(name) {
  if (name === "sql") return playSql(process.argv[3]);
  const judged = PACKAGES[name];
  if (judged === undefined) {
    console.error(
      `mutation: there is no package ${JSON.stringify(name)}; one of ${Object.keys(PACKAGES).join(", ")}, or sql`,
    );
    return 2;
  }
  const { programs } = judged;
  if (programs !== undefined && !existsSync(join(ROOT, "test/programs", programs, "node_modules"))) {
    console.error(
      `mutation: ${name} wants its programs: run npm ci --ignore-scripts in test/programs/${programs} first`,
    );
    return 2;
  }
  const copy = join(folder, "copy");
  copyTree(ROOT, copy);
  const mutants = await instrument({
    root: ROOT,
    copy,
    paths: sourcesOf(ROOT, judged.folder ?? `${name}/src`, judged.without),
  });
  const wanted = numberOf("MUTATION_MUTANTS", judged.sample ?? DEFAULT_MUTANTS);
  const chosen = sample(mutants, wanted, numberOf("MUTATION_SEED", DEFAULT_SEED));
  console.log(`${name}: ${String(chosen.length)} of ${String(mutants.length)} mutants`);
  const files = await findReach({ copy, tests: judged.tests });
  const onProgress = (progress) => console.error(writeProgress(name, progress));
  const verdicts = await judgeAll(chosen, { copy, files, atOnce: judged.atOnce, onProgress });
  const known = numberOf("MUTATION_KNOWN", 0);
  if (known > 0) writeKnown(name, { mutants, chosen, verdicts, count: known });
  return report(name, { judged, chosen, verdicts });
}

function report(name, { judged, chosen, verdicts }) {
  const counts = { killed: 0, "timed out": 0, survived: 0, "not reached": 0 };
  for (const { id, file, line, before, what } of chosen) {
    const { kind } = verdicts.get(id);
    counts[kind] += 1;
    if (kind === "survived" || kind === "not reached")
      console.log(`${kind} ${file}:${String(line)} \`${before}\` -> ${what}`);
  }
  const { score, from, until } = scoreOf(counts.killed + counts["timed out"], chosen.length);
  const told = Object.entries(counts).map(([kind, count]) => `${String(count)} ${kind}`);
  console.log(`${name}: ${told.join(", ")}`);
  const range = `95 %: ${String(from)} to ${String(until)}`;
  console.log(`${name}: ${String(score)} % (${range}), asked ${String(judged.atLeast)} %`);
  return score < judged.atLeast ? 1 : 0;
}

function numberOf(variable, otherwise) {
  return Number(process.env[variable] ?? otherwise);
}
