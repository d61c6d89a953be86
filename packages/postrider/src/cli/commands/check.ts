// postrider check: reports the problems and warnings of a config, which it reads as `serve` does. Starts nothing and writes no
// file.

import { errorDocs } from "@postrider/core/engine";
import type { Command } from "commander";
import { addConfigOption } from "../config-option.js";
import { checkDeeply } from "../check/check-deeply.js";
import {
  type CheckFinding,
  exitCodeOf,
  problemFinding,
  tableOf,
  warningFinding,
  writeJsonLines,
  writeLines,
} from "../check/check-finding.js";
import { counted } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import type { Line } from "../terminal/line.js";
import { configWarnings } from "../../config/config-warnings.js";
import { readConfig, type ReadConfigResult } from "../../config/read-config.js";

interface CheckOptions {
  readonly config: string;
  readonly strict?: boolean;
  readonly deep?: boolean;
  readonly json?: boolean;
}

const NOTES = `
Exit status:
  0  the config is good; with --strict, there are no warnings either
  1  with --deep: the store, a receiver or the clock has a fault
  2  the config is refused; with --strict, there are warnings

Examples:
  $ postrider check --config postrider.json
  $ postrider check --config postrider.json --strict --deep`;

/** Adds the command; `end` gets its exit code. */
export function addCheck(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addConfigOption(program.command("check"))
    .description("Report everything that is wrong with a config, and what is probably not meant.")
    .option("--strict", "exit with status 2 if there are warnings")
    .option("--deep", "also look at the store, the names, the certificates and the clock; sends no HTTP request")
    .option("--json", "write a line of JSON for each finding to standard output")
    .addHelpText("after", NOTES)
    .action(async (options: CheckOptions) => end(await check(host, options)));
}

async function check(
  host: Host,
  { config: file, strict = false, deep = false, json = false }: CheckOptions,
): Promise<ExitCode> {
  const read = readConfig(file, (name) => host.env(name));
  const ofConfig = findingsOf(read);
  if (!json) writeLines(ofConfig, file, host);
  const deepFindings = deep && read.kind === "ok" ? await checkDeeply(read.config, host) : [];
  const ofRest = deepFindings.filter((finding) => !ofConfig.some(({ code, path }) => isSame(finding, { code, path })));
  const findings = [...ofConfig, ...ofRest];
  if (json) writeJsonLines(findings, host);
  else writeSummary(host, file, { findings, table: tableOf(ofRest) });
  if (!json && read.kind === "refused") host.err(`what each code means: ${errorDocs("the-config")}`);
  return exitCodeOf(findings, strict);
}

function findingsOf(read: ReadConfigResult): readonly CheckFinding[] {
  if (read.kind === "refused") return read.problems.map(problemFinding);
  const warnings = configWarnings(read.config).map(warningFinding);
  return read.config.server.apiToken === undefined ? [...warnings, NO_TOKEN] : warnings;
}

/** An address in a URL is known to be forbidden without a look-up. */
function isSame(finding: CheckFinding, { code, path }: Pick<CheckFinding, "code" | "path">): boolean {
  return finding.code === code && finding.path === path;
}

/** An API that is off may be meant, so this is no warning. */
const NO_TOKEN: CheckFinding = {
  kind: "note",
  code: "no-api-token",
  path: "apiToken",
  message: "there is none, so the API and the commands that use it are off",
};

interface Summary {
  readonly findings: readonly CheckFinding[];
  readonly table: readonly Line[];
}

function writeSummary(host: Host, file: string, { findings, table }: Summary): void {
  if (findings.some(({ kind }) => kind === "problem")) return;
  for (const row of table) host.out(row);
  const count = (kind: CheckFinding["kind"]): number => findings.filter((finding) => finding.kind === kind).length;
  const [warnings, faults] = [count("warning"), count("fault")];
  const parts = [...amount(warnings, "warning"), ...amount(faults, "fault")];
  host.out(
    parts.length === 0
      ? `${file} is good`
      : `${file} is ${faults === 0 ? "good" : "valid"}, with ${parts.join(" and ")}`,
  );
}

function amount(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [counted(count, what)];
}
