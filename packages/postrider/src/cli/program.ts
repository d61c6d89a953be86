// The command line: lists the commands, and turns the result of a run into an exit status. What a command does is known only
// in its own file.

import { Command, CommanderError } from "commander";
import { addAudience } from "./commands/audience.js";
import { addCheck } from "./commands/check.js";
import { addDeleteUser } from "./commands/delete-user.js";
import { addDemo } from "./commands/demo.js";
import { addDoctor } from "./commands/doctor.js";
import { addListen } from "./commands/listen.js";
import { addReplay } from "./commands/replay.js";
import { addSend } from "./commands/send.js";
import { addServe } from "./commands/serve.js";
import { addSimulate } from "./commands/simulate.js";
import { addSuppress, addUnsuppress } from "./commands/suppress.js";
import type { ExitCode, Host } from "./host.js";
import { readVersion } from "./read-version.js";

/** The commands, in the order in which the help lists them. */
const COMMANDS = [
  addServe,
  addCheck,
  addListen,
  addSend,
  addReplay,
  addAudience,
  addDeleteUser,
  addSuppress,
  addUnsuppress,
  addDoctor,
  addSimulate,
  addDemo,
] as const;

/** Runs the command of `words`, the command line without the program's name. Resolves once the command has ended. */
export async function runProgram(host: Host, words: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = createProgram(host, (ended) => (code = ended));
  try {
    await program.parseAsync([...words], { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version end here too, with status 0.
    return error.exitCode === 0 ? 0 : 2;
  }
}

function createProgram(host: Host, end: (code: ExitCode) => void): Command {
  const program = new Command("postrider")
    .description("Takes Segment-style calls and delivers each as a signed webhook, at least once.")
    .version(readVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.out(text.trimEnd()),
      writeErr: (text) => host.err(text.trimEnd()),
    });
  for (const add of COMMANDS) add(program, host, end);
  return program.addHelpText("after", "\nExample:\n  $ postrider serve --config postrider.json");
}
