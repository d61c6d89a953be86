// The command line: lists the commands, and turns the result of a run into an exit status. What a command does is known only
// in its own file.

import { Command, CommanderError } from "commander";
import { addAudience } from "./commands/audience.js";
import { addBackup } from "./commands/backup.js";
import { addCheck } from "./commands/check.js";
import { addDeliveries } from "./commands/deliveries.js";
import { addDeleteUser, addSuppress, addUnsuppress } from "./commands/users.js";
import { addDemo } from "./commands/demo.js";
import { addDoctor } from "./commands/doctor.js";
import { addExportUser } from "./commands/export-user.js";
import { addExplain } from "./commands/explain.js";
import { addInit } from "./commands/init.js";
import { addForget } from "./commands/forget.js";
import { addLaneRequests, addLanes } from "./commands/lanes.js";
import { addListen } from "./commands/listen.js";
import { addReload } from "./commands/reload.js";
import { addReplay } from "./commands/replay.js";
import { addReplayJobs } from "./commands/replay-jobs.js";
import { addReplayTrace } from "./commands/replay-trace.js";
import { addSend } from "./commands/send.js";
import { addServe } from "./commands/serve.js";
import { addSettings } from "./commands/settings.js";
import { addShow } from "./commands/show.js";
import { addSimulate } from "./commands/simulate.js";
import { addTest } from "./commands/test.js";
import { addTail } from "./commands/tail.js";
import type { ExitCode, Host } from "./host.js";
import type { Line } from "./terminal/line.js";
import { PROGRAM_VERSION } from "../assembly/program-version.js";

/** The commands, in the order in which the help lists them. */
const COMMANDS = [
  addInit,
  addServe,
  addCheck,
  addListen,
  addSend,
  addTail,
  addDeliveries,
  addShow,
  addExplain,
  addLanes,
  addLaneRequests,
  addForget,
  addTest,
  addReplay,
  addReplayJobs,
  addReload,
  addSettings,
  addBackup,
  addAudience,
  addDeleteUser,
  addExportUser,
  addSuppress,
  addUnsuppress,
  addDoctor,
  addSimulate,
  addReplayTrace,
  addDemo,
] as const;

const HELP_FOOTER = `
Variables, used where an option is left out:
  POSTRIDER_URL         the server, instead of --url
  POSTRIDER_TOKEN       the apiToken of its config, instead of --token and --token-file
  POSTRIDER_WRITE_KEY   the write key of a source, instead of --write-key
  NO_COLOR              no colours; FORCE_COLOR=1 sets them even in a pipe

Examples:
  $ postrider init
  $ postrider serve --config postrider.json
  $ POSTRIDER_URL=http://127.0.0.1:8080 postrider doctor`;

/** Runs the command of `words`, the command line without the program's name. Resolves once the command has ended. */
export async function runProgram(host: Host, words: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = createProgram(host, (exitCode) => (code = exitCode));
  try {
    await program.parseAsync(withoutUnknownTopic(program, words), { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version end here too, with status 0.
    return error.exitCode === 0 ? 0 : 2;
  }
}

/**
 * The words, without a `help` that asks about a command that does not exist: then that command is refused as unknown. Commander would show
 * the help of the whole program instead.
 */
function withoutUnknownTopic(command: Command, words: readonly string[]): string[] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const subcommand = commandOf(command, first);
  if (subcommand !== undefined) return [first, ...withoutUnknownTopic(subcommand, rest)];
  const [topic] = rest;
  const asksForHelp = first === "help" && topic !== undefined && command.commands.length > 0;
  return asksForHelp && commandOf(command, topic) === undefined ? rest : [...words];
}

function commandOf(command: Command, name: string): Command | undefined {
  return command.commands.find((subcommand) => subcommand.name() === name);
}

function createProgram(host: Host, end: (code: ExitCode) => void): Command {
  const program = new Command("postrider")
    .description("Takes Segment-style calls and delivers each as a signed webhook, at least once.")
    .version(PROGRAM_VERSION, "-v, --version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.out(text.trimEnd()),
      writeErr: (text) => host.err(errorLine(text.trimEnd())),
    });
  for (const add of COMMANDS) add(program, host, end);
  return program.addHelpText("after", HELP_FOOTER);
}

/** The line of an error; the word `error:` at its beginning is red on a terminal. */
function errorLine(text: string): Line {
  const [, word, rest] = /^(error:)(.*)$/s.exec(text) ?? [];
  return word === undefined || rest === undefined ? text : [{ text: word, style: "bad" }, rest];
}
