// The value of a config file: the workspace and the settings of the server. Plain data; nothing is opened here.

import type { JsonObject, Secret, Workspace } from "@postrider/core";

import type { SettingsOwner } from "./config-file.js";

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
  /** Whether the workspace is that of the file, or the one that the store keeps for all servers on it. */
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
  /** Whether the console is served to people who have the token of the API. */
  readonly console: boolean;
  /** Proxies whose headers about their callers are trusted. None if absent. */
  readonly trustedProxies?: readonly string[];
  /** Whether requests are sent by a separate thread. */
  readonly senderThread: boolean;
  readonly network: NetworkSettings;
}

/**
 * Where deliveries are stored. A path is as written; a relative one is relative to the folder of the config file. The URL of a
 * database may contain a password.
 */
export type StoreLocation =
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
