// Writes a first config and the files of its secrets. Checks the config before it writes anything, and replaces no config
// unless told to.

import { runSteps } from "@postrider/core/engine";
import type { Random } from "@postrider/core";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ConfigProblem } from "../../config/config-problem.js";
import { readConfigValueInSteps } from "../../config/read-config.js";
import { type FirstConfig, firstConfig, schemaUrl } from "./first-config.js";
import { drawSecret, ensureSecret, makeSecretFolder } from "./secret-files.js";
import { reasonOf } from "../../log/reason-of.js";

export type FirstSettings = Omit<FirstConfig, "apiToken" | "sharedSecret" | "schema">;

export interface FirstFiles {
  /** The config. */
  readonly file: string;
  /** Whether a config that is there is replaced; secrets are kept. */
  readonly isForced: boolean;
}

export type FirstConfigResult =
  | { readonly kind: "ok"; readonly folder: string; readonly tokenFile: string; readonly secretFile: string }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[]; readonly reason: string };

/** Beside the config. */
const SECRET_FOLDER = "postrider-secrets";
const SCHEMA_IN_PROJECT = "node_modules/postrider/postrider.schema.json";

export function writeFirstConfig(
  first: FirstSettings,
  { file, isForced }: FirstFiles,
  random: Random,
): FirstConfigResult {
  const base = dirname(file);
  const folder = join(base, SECRET_FOLDER);
  const [tokenFile, secretFile] = [join(folder, "api-token"), join(folder, "shared-secret")];
  const schema = schemaFor(base);
  const problems = problemsOf(
    firstConfig({ ...first, schema, apiToken: drawSecret(random), sharedSecret: drawSecret(random) }),
  );
  if (problems.length > 0) return { kind: "refused", problems, reason: "the config would have problems" };
  const taken = whyTaken({ file, isForced });
  if (taken !== undefined) return refused(taken);
  const references = {
    apiToken: `file:./${SECRET_FOLDER}/api-token`,
    sharedSecret: `file:./${SECRET_FOLDER}/shared-secret`,
  };
  try {
    makeSecretFolder(folder);
    for (const secret of [tokenFile, secretFile]) ensureSecret(secret, random);
    const text = `${JSON.stringify(firstConfig({ ...first, schema, ...references }), null, 2)}\n`;
    writeFileSync(file, text, { flag: isForced ? "w" : "wx" });
  } catch (error) {
    return refused(`cannot write ${resolve(file)} and its secrets (${reasonOf(error)})`);
  }
  return { kind: "ok", folder: `${folder}/`, tokenFile, secretFile };
}

/** The schema of a config in a folder: the one that is installed there, if there is one. */
export function schemaFor(folder: string): string {
  return existsSync(join(folder, SCHEMA_IN_PROJECT)) ? `./${SCHEMA_IN_PROJECT}` : schemaUrl();
}

/** Why the file is not written, since it is there; undefined if it may be written. */
export function whyTaken({ file, isForced }: FirstFiles): string | undefined {
  if (isForced || !existsSync(file)) return undefined;
  return `${file} exists already: name another file with --out, or add --force`;
}

function problemsOf(value: object): readonly ConfigProblem[] {
  const read = runSteps(readConfigValueInSteps(value, ".", () => undefined));
  return read.kind === "refused" ? read.problems : [];
}

function refused(reason: string): FirstConfigResult {
  return { kind: "refused", problems: [], reason };
}
