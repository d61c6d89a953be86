// The type of the whole config file: a workspace, and the settings of the server.

import type { WorkspaceFile } from "./workspace-file.js";

/** What sources, destinations, delivery, retention and hooks come from. */
export type SettingsOwner = "file" | "store";

export interface ServerFile {
  /** The JSON Schema that editors check the file by; ignored. */
  readonly $schema?: string;
  readonly listen?: { readonly host?: string; readonly port?: number };
  readonly store?: string;
  readonly settings?: SettingsOwner;
  readonly sealingKeys?: readonly string[];
  readonly settingsReferences?: readonly string[];
  readonly apiToken?: string;
  readonly metricsToken?: string;
  readonly viewerToken?: string;
  readonly console?: boolean;
  readonly trustedProxies?: readonly string[];
  readonly senderThread?: boolean;
  readonly network?: {
    readonly allow?: readonly string[];
    readonly ca?: readonly string[];
    readonly maxConnectionAgeMs?: number;
  };
}

/** The JSON value of a whole config file. */
export type ConfigFile = WorkspaceFile & ServerFile;

/** The version of the config file: increases when a file that was valid is refused, or means something else. */
export const CONFIG_VERSION = 1;
