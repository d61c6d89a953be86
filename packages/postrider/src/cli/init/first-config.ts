// The files of a first config: its JSON with one source and one destination, the secrets that it refers to, and the store beside
// it, which git should ignore. The config has only references to secrets, so that it can be committed and shown.

import type { Random } from "@postrider/core";
import { runSteps } from "@postrider/core/engine";
import { hasForbiddenAddress } from "@postrider/undici";
import { Buffer } from "node:buffer";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { dirname, join, resolve } from "node:path";
import { PROGRAM_VERSION } from "../../assembly/program-version.js";
import type { ConfigProblem } from "../../config/config-problem.js";
import { readConfigValueInSteps } from "../../config/read-config.js";
import { readTextFile } from "../../config/read-text-file.js";
import { reasonOf } from "../../log/printable.js";

/** Beside the config. */
const SECRET_FOLDER = "postrider-secrets";

const SCHEMA_IN_PROJECT = "node_modules/postrider/postrider.schema.json";

/** Bytes of a new secret; as text, two characters each. */
const SECRET_BYTES = 32;

/** The files of the store of a first config: the file itself, and its log and index. */
export const STORE_PATTERN = "postrider.db*";

/** The lines of a .gitignore that leave out the store. */
const IGNORE_LINE = /^(?:\/?postrider\.db\*|\*\.db\*)\s*$/m;

const MAX_IGNORE_BYTES = 1_048_576;

interface FirstConfig {
  /** The endpoint. */
  readonly url: string;
  readonly source: string;
  readonly writeKey: string;
  readonly destination: string;
  readonly port: number;
  /** The values of `apiToken` and `sharedSecret`, or references to them. */
  readonly apiToken: string;
  readonly sharedSecret: string;
  /** The JSON Schema of the file, for editors. */
  readonly schema: string;
}

type FirstSettings = Omit<FirstConfig, "apiToken" | "sharedSecret" | "schema">;

interface FirstFiles {
  /** The config. */
  readonly file: string;
  /** True if an existing config is replaced; its secrets remain. */
  readonly isForced: boolean;
}

type FirstConfigResult =
  | { readonly kind: "ok"; readonly folder: string; readonly tokenFile: string; readonly secretFile: string }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[]; readonly reason: string };

export function writeFirstConfig(
  settings: FirstSettings,
  { file, isForced }: FirstFiles,
  random: Random,
): FirstConfigResult {
  const base = dirname(file);
  const folder = join(base, SECRET_FOLDER);
  const [tokenFile, secretFile] = [join(folder, "api-token"), join(folder, "shared-secret")];
  const schema = schemaFor(base);
  const problems = problemsOf(
    firstConfig({ ...settings, schema, apiToken: drawSecret(random), sharedSecret: drawSecret(random) }),
  );
  if (problems.length > 0) return { kind: "refused", problems, reason: "the config would have problems" };
  const obstacle = findObstacle({ file, isForced });
  if (obstacle !== undefined) return refusal(obstacle);
  const references = {
    apiToken: `file:./${SECRET_FOLDER}/api-token`,
    sharedSecret: `file:./${SECRET_FOLDER}/shared-secret`,
  };
  try {
    makeSecretFolder(folder);
    for (const secret of [tokenFile, secretFile]) ensureSecret(secret, random);
    const text = `${JSON.stringify(firstConfig({ ...settings, schema, ...references }), null, 2)}\n`;
    writeFileSync(file, text, { flag: isForced ? "w" : "wx" });
  } catch (error) {
    return refusal(`cannot write ${resolve(file)} and its secrets (${reasonOf(error)})`);
  }
  return { kind: "ok", folder: `${folder}/`, tokenFile, secretFile };
}

function problemsOf(value: object): readonly ConfigProblem[] {
  const outcome = runSteps(readConfigValueInSteps(value, ".", () => undefined));
  return outcome.kind === "refused" ? outcome.problems : [];
}

function refusal(reason: string): FirstConfigResult {
  return { kind: "refused", problems: [], reason };
}

/** The reason for which the file is not written: it exists. Undefined if it may be written. */
export function findObstacle({ file, isForced }: FirstFiles): string | undefined {
  if (isForced || !existsSync(file)) return undefined;
  return `${file} exists already: name another file with --out, or add --force`;
}

/** The schema of a config in a folder: the one that is installed there, if there is one. */
export function schemaFor(folder: string): string {
  return existsSync(join(folder, SCHEMA_IN_PROJECT)) ? `./${SCHEMA_IN_PROJECT}` : schemaUrl();
}

/** The schema of this version, where the package is published. */
function schemaUrl(): string {
  return `https://unpkg.com/postrider@${PROGRAM_VERSION}/postrider.schema.json`;
}

/** The value of the config. `url` must be a URL. */
function firstConfig(first: FirstConfig): object {
  const { url, source, writeKey, destination, port, apiToken, sharedSecret, schema } = first;
  const allow = rangesFor(url);
  return {
    $schema: schema,
    listen: { host: "127.0.0.1", port },
    store: "sqlite:./postrider.db",
    apiToken,
    sources: [{ id: source, writeKey }],
    destinations: [{ id: destination, sources: [source], endpoints: [{ url }], sharedSecret }],
    ...(allow.length === 0 ? {} : { network: { allow } }),
  };
}

/** The ranges to allow for an endpoint that is not public; empty for other names, which are resolved later. */
function rangesFor(url: string): readonly string[] {
  const host = hostOf(url);
  if (isThisMachine(host)) return ["127.0.0.0/8", "::1/128"];
  if (!hasForbiddenAddress(url)) return [];
  return [`${host}/${isIPv6(host) ? "128" : "32"}`];
}

/** The host of a URL, IPv6 without brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
}

/** True if a host is this machine by its name or its address. */
export function isThisMachine(host: string): boolean {
  return /^(?:.+\.)?localhost\.?$/.test(host) || /^127\./.test(host) || host === "::1";
}

/** Makes the folder of secrets if it is not there, with mode 0700. Throws if that is not possible, as without a parent folder. */
export function makeSecretFolder(folder: string): void {
  // Not recursive: Node 20 then never returns from a file system in which no folder can be made, such as /proc.
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  chmodSync(folder, 0o700);
  const ignore = join(folder, ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
}

/** Writes a new secret with mode 0600, unless the file has one. Throws if the file cannot be read or written. */
export function ensureSecret(file: string, random: Random): void {
  if (existsSync(file) && readFileSync(file, "utf8").trim() !== "") return;
  writeFileSync(file, `${drawSecret(random)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

/** A new secret as text. */
export function drawSecret(random: Random, bytes: number = SECRET_BYTES): string {
  return Buffer.from(random.bytes(bytes)).toString("hex");
}

/** True if a folder is in a git repository, and has no line that leaves out the store. */
export function needsIgnoreLine(folder: string): boolean {
  if (!isInRepository(resolve(folder))) return false;
  const ignoreFile = readTextFile(join(folder, ".gitignore"), MAX_IGNORE_BYTES);
  return ignoreFile.kind === "refused" || !IGNORE_LINE.test(ignoreFile.text);
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}
