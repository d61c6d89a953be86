// postrider init: writes a first config that `postrider serve` starts with at once. Asks on a terminal for what no option
// says; elsewhere it never waits for input.

import { readEndpointUrl } from "@postrider/core";
import { type Command, InvalidArgumentError } from "commander";
import { describeProblems } from "../../config/config-problem.js";
import type { ExitCode, Host } from "../host.js";
import { nextSteps } from "../init/next-steps.js";
import { drawSecret } from "../init/secret-files.js";
import { writeFirstConfig } from "../init/write-first-config.js";
import { parsePort } from "../options.js";

interface InitOptions {
  readonly url?: string;
  readonly source?: string;
  readonly destination: string;
  readonly writeKey?: string;
  readonly port: number;
  readonly out: string;
  readonly force?: true;
}

const DEFAULT_OUT = "./postrider.json";
const DEFAULT_URL = "http://127.0.0.1:9000/hook";
const DEFAULT_SOURCE = "website";
/** How often a question is asked until it has an answer that can be used. */
const MAX_ASKS = 3;
const WRITE_KEY_BYTES = 12;

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
    .option("--source <id>", `the id of the source; asked for on a terminal, otherwise ${DEFAULT_SOURCE}`)
    .option("--destination <id>", "the id of the destination", "receiver")
    .option("--write-key <key>", "the write key of the source; drawn at random if absent")
    .option("--port <number>", "the port of the server", parsePort, 8080)
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
  const url = options.url ?? (await askUntil(host, `Where to deliver? [${DEFAULT_URL}] `, DEFAULT_URL, isEndpoint));
  const isAsked = options.url === undefined && options.source === undefined;
  const source =
    isAsked && url !== undefined
      ? await askUntil(host, `The id of the source? [${DEFAULT_SOURCE}] `, DEFAULT_SOURCE, () => true)
      : (options.source ?? DEFAULT_SOURCE);
  if (url === undefined || source === undefined) {
    host.err("postrider: nothing was written");
    return 1;
  }
  return write(host, options, { url, source });
}

function write(host: Host, options: InitOptions, answers: { readonly url: string; readonly source: string }): ExitCode {
  const { destination, port, out: file, force: isForced = false } = options;
  const writeKey = options.writeKey ?? `wk_${drawSecret(host.random, WRITE_KEY_BYTES)}`;
  const settings = { ...answers, destination, writeKey, port };
  const written = writeFirstConfig(settings, { file, isForced }, host.random);
  if (written.kind === "refused") {
    for (const line of describeProblems(written.problems, file)) host.err(line);
    host.err(`postrider: ${written.reason}`);
    return written.problems.length > 0 ? 2 : 1;
  }
  const steps = nextSteps({ ...written, ...settings, file, isDefaultFile: file === DEFAULT_OUT });
  for (const line of steps) host.out(line);
  return 0;
}

/** Undefined if the input has ended, or if no answer could be used. An empty answer is `byDefault`. */
async function askUntil(
  host: Host,
  question: string,
  byDefault: string,
  isUsable: (answer: string) => boolean,
): Promise<string | undefined> {
  for (let asked = 0; asked < MAX_ASKS; asked += 1) {
    const answer = (await host.ask?.(question))?.trim();
    if (answer === undefined) return undefined;
    if (answer === "") return byDefault;
    if (isUsable(answer)) return answer;
    host.err(`expected ${WANTED}`);
  }
  return undefined;
}

const WANTED = "a full http or https URL without user, password and fragment, such as https://example.com/hook";

function isEndpoint(text: string): boolean {
  return readEndpointUrl(text).kind === "ok";
}

function parseEndpoint(text: string): string {
  if (!isEndpoint(text)) throw new InvalidArgumentError(`Expected ${WANTED}.`);
  return text;
}
