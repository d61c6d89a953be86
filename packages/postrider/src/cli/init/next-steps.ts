// The text that `postrider init` ends with: the commands that show the first delivery, to be pasted into a shell.

import { dirname, join } from "node:path";
import type { Line } from "../terminal/line.js";
import { needsIgnoreLine, STORE_PATTERN } from "./git-ignores.js";
import { hostOf, isThisMachine } from "./first-config.js";

export interface WrittenConfig {
  /** The paths as the operator would name them. */
  readonly file: string;
  readonly folder: string;
  readonly tokenFile: string;
  readonly secretFile: string;
  readonly isDefaultFile: boolean;
  readonly url: string;
  readonly writeKey: string;
  readonly port: number;
  /** How a shell finds this program. */
  readonly program: string;
}

export function nextSteps(written: WrittenConfig): readonly Line[] {
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
