// postrider check: says whether a config is good, by the same reading that `serve` does, and what a good one may
// still not do. Starts nothing; a warning changes no status.

import type { Command } from "commander";
import type { ExitCode, Host } from "../host.js";
import { configWarnings } from "../../config/config-warnings.js";
import { describeProblems } from "../../config/config-problem.js";
import { readConfig } from "../../config/read-config.js";

interface CheckOptions {
  readonly config: string;
}

/** Adds the command; `end` is told how it went. */
export function addCheck(program: Command, host: Host, end: (code: ExitCode) => void): void {
  program
    .command("check")
    .description("Say whether a config is good, or everything that is wrong with it. Warnings leave the status 0.")
    .requiredOption("--config <file>", "the config file")
    .addHelpText("after", "\nExample:\n  $ postrider check --config postrider.json")
    .action((options: CheckOptions) => end(check(host, options)));
}

function check(host: Host, { config: file }: CheckOptions): ExitCode {
  const read = readConfig(file, (name) => host.env(name));
  if (read.kind === "read") {
    const warnings = configWarnings(read.config);
    for (const line of warnings) host.err(line);
    host.out(warnings.length === 0 ? `${file} is good` : `${file} is good, with ${String(warnings.length)} warnings`);
    return 0;
  }
  for (const line of describeProblems(read.problems, file)) host.err(line);
  return 2;
}
