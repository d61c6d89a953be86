// The types of a config file as its JSON has it (decision: settings): a workspace and the settings of the server, with
// the defaults of the latter. Defaults of a workspace and core's types are added in `build-workspace`.

import type { DeliveryPolicy, NotificationKind, Retention } from "@postrider/core";

/** The JSON value of a whole config file. */
export type ConfigFile = WorkspaceFile & ServerFile;

export interface WorkspaceFile {
  readonly sources?: readonly SourceEntry[];
  readonly destinations?: readonly DestinationEntry[];
  readonly delivery?: DeliveryEntry;
  readonly retention?: Partial<Retention>;
  readonly notify?: readonly NotifyEntry[];
}

export interface SourceEntry {
  readonly id: string;
  readonly writeKey: string;
  readonly name?: string;
  readonly rateLimit?: RateLimitEntry;
  readonly addsIp?: boolean;
}

export interface RateLimitEntry {
  readonly perSecond: number;
  readonly burst?: number;
}

/** An entry that is only the id of a source means cloud mode. */
export type ConnectionEntry = string | { readonly source: string; readonly mode?: "cloud" | "device" };

export interface EndpointEntry {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DestinationEntry {
  readonly id: string;
  readonly sources: readonly ConnectionEntry[];
  readonly endpoints: readonly EndpointEntry[];
  readonly name?: string;
  readonly enabled?: boolean;
  readonly paused?: boolean;
  readonly acceptsHistorical?: boolean;
  /** One secret, or several, newest first. */
  readonly sharedSecret?: string | readonly string[];
  readonly standardWebhooks?: boolean;
  readonly rateLimit?: RateLimitEntry;
}

export interface NotifyEntry extends EndpointEntry {
  /** One secret, or several, newest first. */
  readonly sharedSecret?: string | readonly string[];
  readonly standardWebhooks?: boolean;
  readonly on?: readonly NotificationKind[];
}

/** The numbers of delivery that a file sets. Only code can give a schedule. */
export type DeliveryEntry = Partial<DeliveryPolicy>;

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

/** The origin of sources, destinations, delivery, retention and hooks. */
export type SettingsOwner = "file" | "store";

/** The version of the config file: increases when a file that was valid is refused, or means something else. */
export const CONFIG_VERSION = 1;

/** The values of settings that the file leaves out. @internal */
export const SERVER_DEFAULTS = {
  host: "127.0.0.1",
  port: 8_080,
  store: "sqlite:./postrider.db",
  settings: "file",
  console: true,
  senderThread: false,
  maxConnectionAgeMs: 30_000,
} as const;
