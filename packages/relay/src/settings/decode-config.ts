// Decides whether a value is a valid config, or a valid workspace (decision: settings): shape, defaults, then core's
// rules. Reports every problem at once, each with its path in the file. Expects `env:` and `file:` to be expanded
// already. The result is plain data.

import { createSecret, type Secret, type Workspace, type JsonObject } from "@postrider/core";
import { defined, runSteps, type Steps } from "@postrider/core/engine";
import { type ServerFile, SERVER_DEFAULTS, type SettingsOwner } from "./config/config-file.js";
import { configFileSetting, workspaceFileSetting } from "./config/config-settings.js";
import { decodeFile } from "./config/decode-file.js";
import type { Decoded } from "./decoded.js";

/** A config file after decoding: the settings of the relay, and those of the server around it. */
export interface Config {
  readonly workspace: Workspace;
  readonly server: ServerSettings;
  /**
   * The keys of the workspace as a file has them: references as they are, and texts that are secret hidden. Absent if the config
   * was not read with its references.
   */
  readonly written?: JsonObject;
}

/** The settings of a config that do not concern the relay: addresses, store, token, thread and network. */
export interface ServerSettings {
  /** Port 0 means any free port. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly store: StoreLocation;
  /** The owner of the workspace: the file, or the store, which keeps one for all servers on it. */
  readonly settings: SettingsOwner;
  /** The keys that seal secrets in the settings of the store, the newest first. None if absent. */
  readonly sealingKeys?: readonly Secret[];
  /** The variables and files to which references in the settings of the store may lead. None if absent. */
  readonly settingsReferences?: readonly string[];
  /** The token of the JSON API; without a token, the API is off. */
  readonly apiToken?: Secret;
  /** The token of `/metrics`; without one, that of the API. */
  readonly metricsToken?: Secret;
  /** The token with which people may look at the console and change nothing; without one, there are no such people. */
  readonly viewerToken?: Secret;
  /** True if the console is served to people who have the token of the API. */
  readonly console: boolean;
  /** Proxies whose headers about their callers are trusted. None if absent. */
  readonly trustedProxies?: readonly string[];
  /** True if requests are sent by a separate thread. */
  readonly senderThread: boolean;
  readonly network: NetworkSettings;
}

/**
 * The place of the store. A path is as written; a relative one is relative to the folder of the config file. The URL of a database may
 * contain a password.
 */
type StoreLocation =
  | { readonly kind: "memory" }
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: Secret };

/** The addresses that deliveries may reach and the authorities that are trusted, beyond the defaults; and the age of connections. */
export interface NetworkSettings {
  /** Addresses and ranges that may be called although they are private. */
  readonly allow: readonly string[];
  /** PEM texts of certificate authorities that are trusted in addition to the public ones. */
  readonly ca: readonly string[];
  /** About how long a connection to a receiver is used, in milliseconds. */
  readonly maxConnectionAgeMs: number;
}

/** Reads the whole config of a server. */
export function decodeConfig(value: unknown): Decoded<Config> {
  return runSteps(decodeConfigInSteps(value));
}

/** Like `decodeConfig`, in steps of one source or one destination. */
export function* decodeConfigInSteps(value: unknown): Steps<Decoded<Config>> {
  const outcome = yield* decodeFile(configFileSetting.codec, value);
  if (outcome.kind === "refused") return outcome;
  const { file, workspace } = outcome.value;
  return { kind: "ok", value: { workspace, server: buildServer(file) } };
}

/** Reads sources, destinations, delivery, retention and hooks, for a host that does not run the server of Postrider. */
export function decodeWorkspace(value: unknown): Decoded<Workspace> {
  return runSteps(decodeWorkspaceInSteps(value));
}

/** Like `decodeWorkspace`, in steps of one source or one destination. */
export function* decodeWorkspaceInSteps(value: unknown): Steps<Decoded<Workspace>> {
  const outcome = yield* decodeFile(workspaceFileSetting.codec, value);
  return outcome.kind === "refused" ? outcome : { kind: "ok", value: outcome.value.workspace };
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

function buildStore(location: string): StoreLocation {
  if (location === "memory:") return { kind: "memory" };
  if (location.startsWith("sqlite:")) return { kind: "sqlite", path: location.slice("sqlite:".length) };
  return { kind: "postgres", url: createSecret(location) };
}
