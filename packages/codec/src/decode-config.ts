// Decides whether a value is a valid config, or a valid workspace (decision: settings): shape, defaults, then core's rules.
// Reports every problem at once, each with its path in the file. Expects `env:` and `file:` to be expanded already.

import { createSecret, type Secret, type Workspace } from "@postrider/core";
import { defined, runSteps, type Steps } from "@postrider/core/engine";
import type { ServerFile } from "./config/config-file.js";
import { configFileSetting, workspaceFileSetting } from "./config/config-settings.js";
import type { Config, ServerSettings, StoreLocation } from "./config/config.js";
import { decodeFile } from "./config/decode-file.js";
import { SERVER_DEFAULTS } from "./config/server-defaults.js";
import type { Decoded } from "./decoded.js";

/** Reads the whole config of a server. */
export function decodeConfig(value: unknown): Decoded<Config> {
  return runSteps(decodeConfigInSteps(value));
}

/** Like `decodeConfig`, in steps of one source or one destination. */
export function* decodeConfigInSteps(value: unknown): Steps<Decoded<Config>> {
  const read = yield* decodeFile(configFileSetting.codec, value);
  if (read.kind === "refused") return read;
  const { file, workspace } = read.value;
  return { kind: "ok", value: { workspace, server: buildServer(file) } };
}

/** Reads sources, destinations, delivery and retention, for a host that does not run the server of Postrider. */
export function decodeWorkspace(value: unknown): Decoded<Workspace> {
  return runSteps(decodeWorkspaceInSteps(value));
}

/** Like `decodeWorkspace`, in steps of one source or one destination. */
export function* decodeWorkspaceInSteps(value: unknown): Steps<Decoded<Workspace>> {
  const read = yield* decodeFile(workspaceFileSetting.codec, value);
  return read.kind === "refused" ? read : { kind: "ok", value: read.value.workspace };
}

function buildServer(file: ServerFile): ServerSettings {
  const {
    listen,
    store = SERVER_DEFAULTS.store,
    settings = SERVER_DEFAULTS.settings,
    console = SERVER_DEFAULTS.console,
    settingsReferences,
    trustedProxies,
    senderThread = SERVER_DEFAULTS.senderThread,
    network,
  } = file;
  return {
    listen: buildListen(listen),
    store: buildStore(store),
    settings,
    console,
    ...buildSecrets(file),
    ...defined({ settingsReferences, trustedProxies }),
    senderThread,
    // No private address is called unless an operator allows it.
    network: {
      allow: network?.allow ?? [],
      ca: network?.ca ?? [],
      maxConnectionAgeMs: network?.maxConnectionAgeMs ?? SERVER_DEFAULTS.maxConnectionAgeMs,
    },
  };
}

/** The tokens of the server, and the keys that seal. */
function buildSecrets({ apiToken, metricsToken, viewerToken, sealingKeys }: ServerFile): Partial<ServerSettings> {
  const secretOf = (text: string | undefined): Secret | undefined =>
    text === undefined ? undefined : createSecret(text);
  return defined({
    apiToken: secretOf(apiToken),
    metricsToken: secretOf(metricsToken),
    viewerToken: secretOf(viewerToken),
    sealingKeys: sealingKeys?.map((key) => createSecret(key)),
  });
}

function buildListen(listen: ServerFile["listen"]): ServerSettings["listen"] {
  return { host: listen?.host ?? SERVER_DEFAULTS.host, port: listen?.port ?? SERVER_DEFAULTS.port };
}

function buildStore(place: string): StoreLocation {
  if (place === "memory:") return { kind: "memory" };
  if (place.startsWith("sqlite:")) return { kind: "sqlite", path: place.slice("sqlite:".length) };
  return { kind: "postgres", url: createSecret(place) };
}
