// Finds the file of the store that a config names. Reads nothing else of the config, so that a scheduled backup needs none of
// the secrets and variables of the server.

import { isPlainObject, runSteps } from "@postrider/core/engine";
import { dirname, resolve } from "node:path";
import type { ConfigProblem } from "../../config/config-problem.js";
import { readConfigValueInSteps } from "../../config/read-config.js";
import { readJsonFile } from "../../config/read-json-file.js";

export type FoundStore =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "memory" | "postgres" }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[] };

/** The store of the config in `file`; `env` returns the variables that its store refers to. */
export function findStore(file: string, env: (name: string) => string | undefined): FoundStore {
  const raw = readJsonFile(file);
  if (raw.kind === "refused") return raw;
  const { value } = raw;
  const part = isPlainObject(value) ? { ...("store" in value ? { store: value["store"] } : {}) } : value;
  const read = runSteps(readConfigValueInSteps(part, dirname(resolve(file)), env));
  if (read.kind === "refused") return read;
  const { store } = read.config.server;
  return store.kind === "sqlite" ? { kind: "file", path: store.path } : { kind: store.kind };
}
