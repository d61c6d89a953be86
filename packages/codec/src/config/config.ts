// What a config file makes: the workspace, and what the server itself needs to know. Plain data; nothing is opened here.

import type { Secret, Workspace } from "@postrider/core";

export interface Config {
  readonly workspace: Workspace;
  readonly server: ServerSettings;
}

export interface ServerSettings {
  /** Port 0 takes any that is free. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly store: StorePlace;
  /** Opens the JSON API; without one it is off. */
  readonly apiToken?: Secret;
  /** Proxies that are believed in what they say of their callers. Absent, none is. */
  readonly trustedProxies?: readonly string[];
  readonly network: NetworkSettings;
}

/** Where deliveries are kept. A path is as it was written: relative ones start at the config file's folder. */
export type StorePlace = { readonly kind: "memory" } | { readonly kind: "sqlite"; readonly path: string };

export interface NetworkSettings {
  /** Addresses and ranges that are called although they are private. */
  readonly allow: readonly string[];
  /** PEM texts of certificate authorities to trust besides the usual ones. */
  readonly ca: readonly string[];
}
