// postrider init: writes a first config that `postrider serve` starts with at once, and prints the commands that come next. Asks
// on a terminal for what no option says; elsewhere it never waits for input.

import { readEndpointUrl } from "@postrider/core";
import { type Command, InvalidArgumentError } from "commander";
import { dirname, join } from "node:path";
import { describeProblems } from "../../config/config-problem.js";
import type { ExitCode, Host } from "../host.js";
import {
  drawSecret,
  hostOf,
  isThisMachine,
  needsIgnoreLine,
  STORE_PATTERN,
  findObstacle,
  writeFirstConfig,
} from "../init/first-config.js";
import { parsePort } from "../options.js";
import type { Line } from "../terminal/line.js";

interface InitOptions extends Partial<AskedSettings> {
  readonly writeKey?: string;
  readonly out: string;
  readonly force?: true;
}

/** The settings that are asked for. */
interface AskedSettings {
  readonly url: string;
  readonly destination: string;
  readonly source: string;
  readonly port: number;
}

const DEFAULT_OUT = "./postrider.json";

const WRITE_KEY_BYTES = 12;

/** The most times that a question is asked until it has an answer that can be used. */
const MAX_ASKS = 3;

/** The default answers, which are also used if nothing is asked. */
const DEFAULTS: AskedSettings = {
  url: "http://127.0.0.1:9000/hook",
  destination: "receiver",
  source: "website",
  port: 8080,
};

const WANTED_URL = "a full http or https URL without user, password and fragment, such as https://example.com/hook";

interface Question<Value> {
  readonly text: string;
  readonly offered: Value;
  /** Undefined for an answer that cannot be used; then `expected` is printed. */
  readonly read: (answer: string) => Value | undefined;
  readonly expected: string;
}

const URL_QUESTION: Question<string> = {
  text: "Where to deliver?",
  offered: DEFAULTS.url,
  read: (answer) => (isEndpoint(answer) ? answer : undefined),
  expected: WANTED_URL,
};

const PORT_QUESTION: Question<number> = {
  text: "The port of the server?",
  offered: DEFAULTS.port,
  read: (answer) => (/^\d{1,5}$/.test(answer) && Number(answer) <= 65_535 ? Number(answer) : undefined),
  expected: `a whole number from 0 to 65535, such as ${String(DEFAULTS.port)}`,
};

/** Variables that npm sets for what it starts, as `npx` or for a script. */
const VARIABLES_OF_NPM = ["npm_command", "npm_lifecycle_event", "npm_execpath"] as const;

/** The end of the description of an option, before its default. */
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
    .option("--source <id>", `the id of the source${ASKED} ${DEFAULTS.source}`)
    .option("--destination <id>", `the id of the destination${ASKED} ${DEFAULTS.destination}`)
    .option("--write-key <key>", "the write key of the source; drawn at random if absent")
    .option("--port <number>", `the port of the server${ASKED} ${String(DEFAULTS.port)}`, parsePort)
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
  const obstacle = findObstacle({ file, isForced });
  if (obstacle !== undefined) {
    host.err(`postrider: ${obstacle}`);
    return 1;
  }
  const settings =
    options.url === undefined ? await askSettings(host, options) : { ...DEFAULTS, ...options, url: options.url };
  if (settings !== undefined) return write(host, options, settings);
  host.err("postrider: nothing was written");
  return 1;
}

function write(host: Host, options: InitOptions, answers: AskedSettings): ExitCode {
  const { out: file, force: isForced = false } = options;
  const writeKey = options.writeKey ?? `wk_${drawSecret(host.random, WRITE_KEY_BYTES)}`;
  const settings = { ...answers, writeKey };
  const outcome = writeFirstConfig(settings, { file, isForced }, host.random);
  if (outcome.kind === "refused") {
    for (const line of describeProblems(outcome.problems, file)) host.err(line);
    host.err(`postrider: ${outcome.reason}`);
    return outcome.problems.length > 0 ? 2 : 1;
  }
  const program = programName((name) => host.env(name));
  const steps = nextSteps({ ...outcome, ...settings, file, isDefaultFile: file === DEFAULT_OUT, program });
  for (const line of steps) host.out(line);
  return 0;
}

function parseEndpoint(text: string): string {
  if (!isEndpoint(text)) throw new InvalidArgumentError(`Expected ${WANTED_URL}.`);
  return text;
}

/** Undefined if the input has ended, or if no answer to a question could be used. */
async function askSettings(host: Host, options: Partial<AskedSettings>): Promise<AskedSettings | undefined> {
  const url = options.url ?? (await askUntil(host, URL_QUESTION));
  if (url === undefined) return undefined;
  const destination = options.destination ?? (await askUntil(host, idQuestion("destination")));
  if (destination === undefined) return undefined;
  const source = options.source ?? (await askUntil(host, idQuestion("source")));
  if (source === undefined) return undefined;
  const port = options.port ?? (await askUntil(host, PORT_QUESTION));
  return port === undefined ? undefined : { url, destination, source, port };
}

function isEndpoint(text: string): boolean {
  return readEndpointUrl(text).kind === "ok";
}

/** Any text is an id. */
function idQuestion(kind: "destination" | "source"): Question<string> {
  return { text: `The id of the ${kind}?`, offered: DEFAULTS[kind], read: (answer) => answer, expected: "an id" };
}

async function askUntil<Value extends string | number>(
  host: Host,
  { text, offered, read, expected }: Question<Value>,
): Promise<Value | undefined> {
  for (let tries = 0; tries < MAX_ASKS; tries += 1) {
    const answer = (await host.ask?.(`${text} [${String(offered)}] `))?.trim();
    if (answer === undefined) return undefined;
    const value = answer === "" ? offered : read(answer);
    if (value !== undefined) return value;
    host.err(`expected ${expected}`);
  }
  return undefined;
}

interface WrittenConfig {
  /** The paths as the operator would name them. */
  readonly file: string;
  readonly folder: string;
  readonly tokenFile: string;
  readonly secretFile: string;
  readonly isDefaultFile: boolean;
  readonly url: string;
  readonly writeKey: string;
  readonly port: number;
  /** The command by which a shell finds this program. */
  readonly program: string;
}

function nextSteps(written: WrittenConfig): readonly Line[] {
  const { file, folder, tokenFile, isDefaultFile, writeKey, port, program } = written;
  const server = `http://127.0.0.1:${String(port)}`;
  const call = `'{"userId":"u1","event":"Signed Up"}'`;
  return [
    `wrote ${file}, and its secrets in ${folder}, which only you can read and git ignores`,
    ...ignoreStep(file),
    ...receiverStep(written),
    ...step("Start the server:", `${program} serve${isDefaultFile ? "" : ` --config ${shellWord(file)}`}`),
    ...step("Make a call, in another terminal:", `curl -u ${shellWord(`${writeKey}:`)} -d ${call} ${server}/v1/track`),
    ...step("See what became of it:", `${program} deliveries --url ${server} --token-file ${shellWord(tokenFile)}`),
  ];
}

/** Only in a git repository that would commit the store. */
function ignoreStep(file: string): readonly Line[] {
  const folder = dirname(file);
  if (!needsIgnoreLine(folder)) return [];
  const command = `echo '${STORE_PATTERN}' >> ${shellWord(join(folder, ".gitignore"))}`;
  return step("Keep the store out of git, since it contains user data:", command);
}

/** Only for a receiver on this machine, whose port and path `postrider listen` can take. */
function receiverStep({ url, secretFile, program }: WrittenConfig): readonly Line[] {
  const { port, protocol } = new URL(url);
  if (!isThisMachine(hostOf(url)) || protocol !== "http:") return [];
  const command = `${program} listen --port ${port === "" ? "80" : port} --secret-file ${shellWord(secretFile)}`;
  return step("Run a receiver on this machine that verifies signatures, in another terminal:", command);
}

function step(title: string, command: string): readonly Line[] {
  return ["", [{ text: title, style: "strong" }], `  ${command}`];
}

/** The text as one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `npx postrider` in a process that npm has started, otherwise `postrider`. */
export function programName(env: (name: string) => string | undefined): string {
  return VARIABLES_OF_NPM.some((name) => (env(name) ?? "") !== "") ? "npx postrider" : "postrider";
}
