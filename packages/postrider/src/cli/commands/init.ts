// postrider init: writes a first config that `postrider serve` starts with at once. Asks on a terminal for what no option
// says; elsewhere it never waits for input.

import { type Command, InvalidArgumentError } from "commander";
import { describeProblems } from "../../config/config-problem.js";
import type { ExitCode, Host } from "../host.js";
import { type AskedSettings, askSettings, isEndpoint, OFFERED, WANTED_URL } from "../init/ask-settings.js";
import { nextSteps } from "../init/next-steps.js";
import { programName } from "../init/program-name.js";
import { drawSecret } from "../init/secret-files.js";
import { whyTaken, writeFirstConfig } from "../init/write-first-config.js";
import { parsePort } from "../options.js";

interface InitOptions extends Partial<AskedSettings> {
  readonly writeKey?: string;
  readonly out: string;
  readonly force?: true;
}

const DEFAULT_OUT = "./postrider.json";
const WRITE_KEY_BYTES = 12;
/** Of an option that is not needed. */
const ASKED = "; asked for on a terminal unless --url is given, otherwise";

const EXAMPLES = `
The API token and the secret that signs messages are drawn at random, and kept in postrider-secrets/ beside the config, in
files that only you can read. Secrets that are there are kept, also with --force.

Examples:
  $ postrider init
  $ postrider init --url https://example.com/hook
  $ postrider init --url http://127.0.0.1:9000/hook --source shop`;

/** Adds the command; `end` gets its exit code. */
export function addInit(program: Command, host: Host, end: (code: ExitCode) => void): void {
  program
    .command("init")
    .description("Write a first config, with a source, a destination and secrets.")
    .option("--url <url>", "where to deliver; asked for on a terminal", parseEndpoint)
    .option("--source <id>", `the id of the source${ASKED} ${OFFERED.source}`)
    .option("--destination <id>", `the id of the destination${ASKED} ${OFFERED.destination}`)
    .option("--write-key <key>", "the write key of the source; drawn at random if absent")
    .option("--port <number>", `the port of the server${ASKED} ${String(OFFERED.port)}`, parsePort)
    .option("--out <file>", "the config", DEFAULT_OUT)
    .option("--force", "replace the config if it is there")
    .addHelpText("after", EXAMPLES)
    .action(async (options: InitOptions, command: Command) => {
      if (options.url === undefined && host.ask === undefined) {
        command.error("error: there is no terminal to ask on: give --url, and --source if it is not website");
      }
      end(await init(host, options));
    });
}

async function init(host: Host, options: InitOptions): Promise<ExitCode> {
  const { out: file, force: isForced = false } = options;
  const taken = whyTaken({ file, isForced });
  if (taken !== undefined) {
    host.err(`postrider: ${taken}`);
    return 1;
  }
  const settings =
    options.url === undefined ? await askSettings(host, options) : { ...OFFERED, ...options, url: options.url };
  if (settings !== undefined) return write(host, options, settings);
  host.err("postrider: nothing was written");
  return 1;
}

function write(host: Host, options: InitOptions, answers: AskedSettings): ExitCode {
  const { out: file, force: isForced = false } = options;
  const writeKey = options.writeKey ?? `wk_${drawSecret(host.random, WRITE_KEY_BYTES)}`;
  const settings = { ...answers, writeKey };
  const written = writeFirstConfig(settings, { file, isForced }, host.random);
  if (written.kind === "refused") {
    for (const line of describeProblems(written.problems, file)) host.err(line);
    host.err(`postrider: ${written.reason}`);
    return written.problems.length > 0 ? 2 : 1;
  }
  const program = programName((name) => host.env(name));
  const steps = nextSteps({ ...written, ...settings, file, isDefaultFile: file === DEFAULT_OUT, program });
  for (const line of steps) host.out(line);
  return 0;
}

function parseEndpoint(text: string): string {
  if (!isEndpoint(text)) throw new InvalidArgumentError(`Expected ${WANTED_URL}.`);
  return text;
}
