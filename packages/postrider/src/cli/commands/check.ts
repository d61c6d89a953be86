// postrider check: reports the problems and warnings of a config, which it reads as `serve` does. Starts nothing; warnings
// do not change the exit status.

import type { Command } from "commander";
import { addConfigOption } from "../config-option.js";
import type { ExitCode, Host } from "../host.js";
import { configWarnings } from "../../config/config-warnings.js";
import { describeProblems } from "../../config/config-problem.js";
import { readConfig } from "../../config/read-config.js";

interface CheckOptions {
  readonly config: string;
}

/** Adds the command; `end` gets its exit code. */
export function addCheck(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addConfigOption(program.command("check"))
    .description("Report everything that is wrong with a config. Warnings leave the exit status 0.")
    .addHelpText("after", "\nExample:\n  $ postrider check --config postrider.json")
    .action((options: CheckOptions) => end(check(host, options)));
}

function check(host: Host, { config: file }: CheckOptions): ExitCode {
  const read = readConfig(file, (name) => host.env(name));
  if (read.kind === "ok") {
    const warnings = configWarnings(read.config);
    for (const line of warnings) host.err(line);
    host.out(warnings.length === 0 ? `${file} is good` : `${file} is good, with ${String(warnings.length)} warnings`);
    return 0;
  }
  for (const line of describeProblems(read.problems, file)) host.err(line);
  return 2;
}
