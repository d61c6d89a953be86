// `npm run soak -- mutation sql`: plays each mutant of the PostgreSQL store's SQL in the test that is known to find it, after the same
// test without a mutant. Its exit status is 1 if one survives, or if a test fails for another reason than the mutant.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SQL_MUTANTS } from "./sql-mutants.js";

export { SQL_MUTANTS };

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SCHEMA = "packages/postgres/src/schema";
/** Says that the text of a function cannot be run: such a mutant is no mistake that anyone ships. */
const CANNOT_RUN = /PostgreSQL: 42|SyntaxError|the schema has no place/;
const RAN_OUT = /timed out/;

/** What is wrong with the edit of a mutant, or undefined. */
export function misfitOf({ name, file, from }) {
  const count = readFileSync(join(ROOT, SCHEMA, file), "utf8").split(from).length - 1;
  return count === 1 ? undefined : `${name}: ${file} has the text ${String(count)} times, not once`;
}

/** Plays the mutants whose name has a text, and prints a row for each. Answers with the exit status. */
export async function playSql(only = "") {
  const mutants = SQL_MUTANTS.filter(({ name }) => name.includes(only));
  const misfits = mutants.flatMap((mutant) => misfitOf(mutant) ?? []);
  if (misfits.length > 0 || mutants.length === 0) {
    console.error(["mutation: no mutants are played", ...misfits].join("\n"));
    return 1;
  }
  // Loaded only here, since the driver is installed by the tests that need it.
  const { installedServers } = await import("../programs/postgres/servers.js");
  const [server] = installedServers();
  if (server === undefined) {
    console.error("mutation: no PostgreSQL is installed");
    return 1;
  }
  process.env.POSTRIDER_POSTGRES = server.bin;
  const folder = mkdtempSync(join(tmpdir(), "postrider-sql-"));
  try {
    const rows = mutants.map((mutant) => playMutant(mutant, join(folder, "report.json")));
    const found = rows.filter((isFound) => isFound).length;
    console.log(`sql: ${String(found)} of ${String(mutants.length)} mutants found`);
    return found === mutants.length ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The verdicts of tests without a mutant, each of which is played once. */
const greens = new Map();

function playMutant({ name, file, from, to, path, by }, report) {
  const command = `${path} -t ${by}`;
  const green = greens.get(command) ?? play({ path, by, edit: null }, report);
  greens.set(command, green);
  if (green.kind !== "survived") {
    console.log(`| ${name} | NOT PLAYED: without it ${green.kind} ${green.by}: ${path} "${by}" | ${green.seconds} |`);
    return false;
  }
  const { kind, by: test, seconds } = play({ path, by, edit: { file: `${SCHEMA}/${file}`, from, to } }, report);
  const verdict = kind === "found" ? `${path} "${test}"` : `${kind.toUpperCase()} ${test}: ${path} "${by}"`;
  console.log(`| ${name} | ${verdict} | ${seconds} |`);
  return kind === "found";
}

/** Plays tests, with an edit of a source or without one. */
function play({ path, by, edit }, report) {
  const startedAt = Date.now();
  rmSync(report, { force: true });
  const pattern = by.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const config = ["--config", "test/mutation/vitest.config.ts"];
  const args = ["run", ...config, path, "-t", pattern, "--reporter=json", `--outputFile=${report}`];
  const env = { ...process.env, MUTATION_EDIT: JSON.stringify(edit), MUTATION_TESTS: path };
  const { stderr } = spawnSync(join(ROOT, "node_modules/.bin/vitest"), args, { cwd: ROOT, env, encoding: "utf8" });
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  if (!existsSync(report)) return { kind: "did not start", by: stderr.trim().split("\n").at(-1) ?? "", seconds };
  return { ...verdictOf(JSON.parse(readFileSync(report, "utf8"))), seconds };
}

/**
 * `found` only if a test that is named failed, and not its preparation, its time limit, or SQL that cannot run. `survived` only if
 * all that ran were green.
 *
 * @returns {{ kind: "found" | "survived" | "did not run" | "cannot run" | "ran out of time", by: string }}
 */
export function verdictOf({ testResults }) {
  const ran = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = ran.find(({ status }) => status === "failed");
  if (failed === undefined) {
    const isGreen =
      testResults.every(({ status }) => status === "passed") && ran.some(({ status }) => status === "passed");
    return { kind: isGreen ? "survived" : "did not run", by: "" };
  }
  const [message = ""] = failed.failureMessages;
  const by = `${failed.title}: ${message.split("\n", 1)[0] ?? ""}`;
  if (CANNOT_RUN.test(message)) return { kind: "cannot run", by };
  return RAN_OUT.test(message) ? { kind: "ran out of time", by } : { kind: "found", by: failed.title };
}
