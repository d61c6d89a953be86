// Reads a config file: parses its JSON, replaces references to the environment and to files, and decodes the value.
// Paths are relative to the folder of the file. Returns the config or all its problems. The codec of relay/settings
// decides the shape of a config.

import {
  type Config,
  decodeConfigInSteps,
  findHiddenTextsInSteps,
  findUnsharedTextsInSteps,
  hideSecretTextsInSteps,
  type ServerSettings,
} from "@postrider/relay/settings";
import type { Clock } from "@postrider/core";
import { runSteps, type Steps } from "@postrider/core/engine";
import { isCertificate } from "@postrider/undici";
import { dirname, resolve } from "node:path";
import { runInSlices } from "../timing/run-in-slices.js";
import { checkWriteKeys } from "./check-keys.js";
import type { ConfigProblem } from "./config-problem.js";
import { sharedKeysIn } from "./read-document.js";
import { readExpandedInSteps, type ReadValue } from "./read-expanded.js";
import { readJsonFileInSteps } from "./read-json-file.js";

/** A config that can be used, or all of its problems. */
export type ReadConfigResult =
  | { readonly kind: "ok"; readonly config: Config }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[] };

type Environment = (name: string) => string | undefined;

/** Reads `file`; `env` returns the variables that it refers to. */
export function readConfig(file: string, env: Environment): ReadConfigResult {
  return runSteps(readConfigInSteps(file, env));
}

/**
 * Like `readConfig`, in slices, with a return to the event loop after each slice, for a server that answers callers
 * meanwhile. The text of the file is read in one slice, however long it is.
 */
export function readConfigInSlices(
  file: string,
  env: Environment,
  clock: Pick<Clock, "after">,
): Promise<ReadConfigResult> {
  return runInSlices(readConfigInSteps(file, env), clock);
}

/** Like `readConfig`, in steps of one source or one destination. */
export function* readConfigInSteps(file: string, env: Environment): Steps<ReadConfigResult> {
  const raw = yield* readJsonFileInSteps(file);
  if (raw.kind === "refused") return raw;
  return yield* readConfigValueInSteps(raw.value, dirname(resolve(file)), env);
}

/** Reads a config that is a value already. Paths in it are relative to `folder`. In steps of one source or destination. */
export function* readConfigValueInSteps(value: unknown, folder: string, env: Environment): Steps<ReadConfigResult> {
  const outcome = yield* readExpandedInSteps(value, { folder, env }, decode);
  if (outcome.kind === "refused") return outcome;
  const shared = sharedKeysIn(value);
  // Settings that go to the store, or are compared with its settings, must be fit for it.
  const isShared = outcome.value.server.settings === "store";
  const unfit = yield* isShared
    ? findUnsharedTextsInSteps(shared, outcome.value.server.settingsReferences ?? [])
    : findHiddenTextsInSteps(shared);
  if (unfit.length > 0) return { kind: "refused", problems: unfit };
  const hidden = yield* hideSecretTextsInSteps(shared);
  return { kind: "ok", config: { ...resolveStorePath(folder, outcome.value), written: sharedKeysIn(hidden) } };
}

function* decode(value: unknown): Steps<ReadValue<Config>> {
  const decoded = yield* decodeConfigInSteps(value);
  if (decoded.kind === "refused") return decoded;
  const { server, workspace } = decoded.value;
  const problems = [...(yield* checkWriteKeys(workspace.sources)), ...checkNetwork(server.network)];
  return problems.length > 0 ? { kind: "refused", problems } : decoded;
}

function resolveStorePath(folder: string, config: Config): Config {
  const { store } = config.server;
  if (store.kind !== "sqlite") return config;
  return { ...config, server: { ...config.server, store: { kind: "sqlite", path: resolve(folder, store.path) } } };
}

/**
 * All problems of the certificates of the network settings, by the rule of the undici adapter, so that an unusable one is refused
 * before anything starts. The ranges were checked when the config was decoded.
 */
function checkNetwork({ ca }: ServerSettings["network"]): readonly ConfigProblem[] {
  return ca.flatMap((text, index) => (isCertificate(text) ? [] : [badCertificate(index)]));
}

function badCertificate(index: number): ConfigProblem {
  return {
    code: "bad-certificate",
    path: `network.ca[${String(index)}]`,
    expected: "a whole certificate as PEM text; this one is damaged",
  };
}
