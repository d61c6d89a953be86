// Begins a server whose settings are those of its store, in a folder without a config: writes a config with a store, and with keys in
// files that only their owner can read. All else is set up in the console.

import type { Random } from "@postrider/core";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { reasonOf } from "../../log/reason-of.js";
import { schemaFor, ensureSecret, makeSecretFolder } from "../init/first-config.js";

/** Beside the config, and not the folder of secrets to which settings may refer. */
const FOLDER = "postrider-keys";

export type FirstStoreResult =
  { readonly kind: "written" | "there" } | { readonly kind: "refused"; readonly reason: string };

/** Writes the config unless the file is there. */
export function writeFirstStore(file: string, random: Random): FirstStoreResult {
  if (existsSync(file)) return { kind: "there" };
  const folder = join(dirname(file), FOLDER);
  const config = {
    $schema: schemaFor(dirname(file)),
    store: "sqlite:./postrider.db",
    settings: "store",
    sealingKeys: [`file:./${FOLDER}/sealing-key`],
    apiToken: `file:./${FOLDER}/api-token`,
  };
  try {
    makeSecretFolder(folder);
    for (const name of ["sealing-key", "api-token"]) ensureSecret(join(folder, name), random);
    writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`, { flag: "wx" });
  } catch (error) {
    return { kind: "refused", reason: `cannot write ${resolve(file)} and its keys (${reasonOf(error)})` };
  }
  return { kind: "written" };
}
