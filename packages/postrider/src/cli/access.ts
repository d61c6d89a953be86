// Decides which server a command talks to, and what it shows there: an option has precedence over a file, a file over the
// environment. Values in the environment and in files stay out of the lists of processes and the history of a shell.

import { type Command, InvalidArgumentError, Option } from "commander";
import { statSync } from "node:fs";
import { readTextFile } from "../config/read-text-file.js";
import type { Host } from "./host.js";
import { parseFilledText, parseServerUrl } from "./options.js";
import type { ApiAccess } from "./requests/ask-api.js";

/** The values of the options of `addAccessOptions`; each value may also come from the environment. */
export interface AccessOptions {
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
}

/** The ways to give a token to a command. */
export const TOKEN_WAYS = "use --token-file or --token, or set POSTRIDER_TOKEN";
/** The ways to give a write key to a command. */
export const WRITE_KEY_WAYS = "use --write-key, or set POSTRIDER_WRITE_KEY";

/** Bytes of the file of a token or a secret. Only its first line is used. */
const MAX_SECRET_FILE_BYTES = 65_536;
/** The permission of other users than its owner and group to read a file. */
const OTHERS_MAY_READ = 0o004;

/** The options of a command before `readAccess` has found the server and the token. */
export type RawOptions<T extends ApiAccess> = Omit<T, keyof ApiAccess> & AccessOptions;

/** The option `--url`. */
export function serverOption(): Option {
  return new Option("--url <url>", "the server (or the variable POSTRIDER_URL)").argParser(parseServerUrl);
}

/** The option `--write-key`. */
export function writeKeyOption(): Option {
  const about = "the write key of the source (or the variable POSTRIDER_WRITE_KEY)";
  return new Option("--write-key <key>", about).argParser(parseFilledText);
}

/** Adds `--url`, `--token` and `--token-file`. */
export function addAccessOptions(command: Command): Command {
  const about = "the apiToken of its config (or the variable POSTRIDER_TOKEN)";
  return command
    .addOption(serverOption())
    .addOption(new Option("--token <token>", about).argParser(parseFilledText))
    .addOption(new Option("--token-file <file>", "a file whose first line is the token"));
}

/** The parts of the process from which values come, and to which warnings go. */
export type AccessHost = Pick<Host, "env" | "err" | "status">;

/** The server and the token. Ends the command with an error if one is missing or wrong. */
export function readAccess(host: AccessHost, command: Command, options: AccessOptions): ApiAccess {
  const url = readServerUrl(host, command, options);
  const token = readToken(host, command, options);
  if (token !== undefined) return { url, token };
  return command.error(`error: no token is given: ${TOKEN_WAYS}`);
}

/** The URL of the server. Ends the command with an error if there is none, or if that of the environment is wrong. */
export function readServerUrl(host: AccessHost, command: Command, { url }: AccessOptions): string {
  const variable = host.env("POSTRIDER_URL") ?? "";
  if (url !== undefined) return url;
  if (variable === "") return command.error("error: no server is given: use --url, or set POSTRIDER_URL");
  try {
    return parseServerUrl(variable);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return command.error(`error: the variable POSTRIDER_URL is wrong. ${error.message}`);
  }
}

/** The token; undefined if none is given. Ends the command with an error if its file cannot be used. */
export function readToken(host: AccessHost, command: Command, options: AccessOptions): string | undefined {
  if (options.token !== undefined) return options.token;
  if (options.tokenFile !== undefined) return readTokenFile(host, command, options.tokenFile);
  return readVariable(host, "POSTRIDER_TOKEN");
}

/** The write key, by the option or the environment; undefined if there is none. */
export function findWriteKey(host: AccessHost, option: string | undefined): string | undefined {
  return option ?? readVariable(host, "POSTRIDER_WRITE_KEY");
}

/** An empty variable counts as absent. */
function readVariable(host: AccessHost, name: string): string | undefined {
  const value = host.env(name);
  return value === "" ? undefined : value;
}

function readTokenFile(host: AccessHost, command: Command, file: string): string {
  const token = readFirstLine(command, file, "token");
  warnOfReaders(host, file);
  return token;
}

/** The first line of the file of a secret. Ends the command with an error if the file cannot be read or has none. */
export function readFirstLine(command: Command, file: string, what: "token" | "secret"): string {
  const secret = readTextFile(file, MAX_SECRET_FILE_BYTES);
  if (secret.kind === "refused") return command.error(`error: the ${what} file ${file}: expected ${secret.expected}`);
  const [line = ""] = secret.text.replace(/^\uFEFF/, "").split(/\r?\n/, 1);
  if (line.trim() !== "") return line.trim();
  return command.error(`error: the ${what} file ${file} has an empty first line, which has to be the ${what}`);
}

/** Warns on a terminal alone: in a container, secrets are mounted readable by all, and a scheduled job would say so at each run. */
function warnOfReaders({ err, status }: AccessHost, file: string): void {
  if (status === undefined || process.platform === "win32") return;
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS_MAY_READ) !== 0)
    err(`warning: every user of this machine can read ${file}; chmod 600 ${file} ends that`);
}
