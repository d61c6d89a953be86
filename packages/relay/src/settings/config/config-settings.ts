// The table of all keys of a config file, those of a workspace and those of the server. Finds the object in which a key
// belongs that was written elsewhere. Shapes only; `env:` and `file:` are expanded before a file is decoded.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { type ConfigFile, SERVER_DEFAULTS, type WorkspaceFile } from "./config-file.js";
import { described, listSetting, objectSetting, type Setting } from "./setting.js";
import {
  addressRangeSetting,
  anyText,
  certificateSetting,
  connectionAgeSetting,
  flagSetting,
  hostSetting,
  portSetting,
  settingsOwnerSetting,
  sharedNameSetting,
  storeSetting,
  tokenSetting,
} from "./setting-leaves.js";
import { workspaceSettings } from "./workspace-settings.js";

/** @internal */
export const workspaceFileSetting: Setting<WorkspaceFile> = objectSetting("an object", {
  required: {},
  optional: workspaceSettings,
});

const listen = objectSetting("an object with host and port", {
  required: {},
  optional: {
    host: described(hostSetting, "A host name or an address; 0.0.0.0 and :: mean all addresses.", SERVER_DEFAULTS.host),
    port: described(portSetting, "A TCP port; 0 takes any free port.", SERVER_DEFAULTS.port),
  },
});

const network = objectSetting("an object with allow, ca and maxConnectionAgeMs", {
  required: {},
  optional: {
    allow: described(
      listSetting("a list of addresses and ranges", addressRangeSetting),
      "Addresses and ranges that may be called although they are not public, such as 10.0.0.0/8.",
      [],
    ),
    ca: described(
      listSetting("a list of PEM certificates", certificateSetting),
      "Certificates of authorities that are trusted in addition to the public ones, as PEM text; file:PATH reads it from a file.",
      [],
    ),
    maxConnectionAgeMs: described(
      connectionAgeSetting,
      "About how long a connection to a receiver is used, a fifth more or less, before its name is looked up again for a new one (milliseconds).",
      SERVER_DEFAULTS.maxConnectionAgeMs,
    ),
  },
});

/** @internal */
export const configFileSetting: Setting<ConfigFile> = objectSetting("an object", {
  required: {},
  optional: {
    listen: described(listen, "Where the server takes calls."),
    store: described(
      storeSetting,
      "sqlite:PATH, relative to the folder of this file; the URL of a PostgreSQL database that servers share, such as postgres://HOST/DATABASE; or memory:, which loses everything at the end.",
      SERVER_DEFAULTS.store,
    ),
    settings: described(
      settingsOwnerSetting,
      "store: sources, destinations, delivery, retention and notify are those that the store keeps for all servers on it, and this file has none or the same.",
      SERVER_DEFAULTS.settings,
    ),
    sealingKeys: described(
      listSetting("a list of keys", tokenSetting),
      "Keys, 16 characters or more, that seal the secrets which people put into the settings of the store: the first one seals, each opens.",
      [],
    ),
    settingsReferences: described(
      listSetting("a list of names", sharedNameSetting),
      "The variables and files to which references in the settings of the store may lead, such as POSTRIDER_CRM, or postrider-secrets/* for all of that folder.",
      [],
    ),
    apiToken: described(tokenSetting, "What callers of /api show, 16 characters or more. If absent, the API is off."),
    metricsToken: described(
      tokenSetting,
      "What a collector shows at /metrics, 16 characters or more. If absent, it shows the apiToken.",
    ),
    viewerToken: described(
      tokenSetting,
      "What people show at the console who may look and change nothing, 16 characters or more. If absent, there are none.",
    ),
    console: described(
      flagSetting,
      "false: no page at /console, which otherwise is there for people who have the apiToken.",
      SERVER_DEFAULTS.console,
    ),
    trustedProxies: described(
      listSetting("a list of addresses and ranges", addressRangeSetting),
      "Addresses and ranges of proxies whose X-Forwarded-For and Forwarded name the caller.",
      [],
    ),
    ...workspaceSettings,
    senderThread: described(
      flagSetting,
      "true: requests are sent by a separate thread, for a machine with a core to spare for it.",
      SERVER_DEFAULTS.senderThread,
    ),
    network: described(network, "What may be called besides the public internet, and how long a connection is used."),
    $schema: described(anyText, "The JSON Schema of this file, for editors; ignored."),
  },
});

/** The JSON Schema of a config file (draft-07, which most editors read). @internal */
export const configJsonSchema: JsonObject = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "The config file of Postrider",
  description:
    "Each text may be env:NAME or file:PATH instead. `postrider check` also checks what compares several values.",
  ...configFileSetting.schema,
};

/**
 * The path of the object that has the key, such as `listen` for `port`; undefined if there is none. Of several, the one in the
 * same part of the config as the key, such as `destinations`; undefined if that does not decide.
 * @internal
 */
export function placeOfKey(key: string, part: string): string | undefined {
  const places = PLACES.filter((place) => place.key === key);
  const candidates = places.length === 1 ? places : places.filter(({ parent }) => parent.startsWith(`${part}[]`));
  return candidates.length === 1 ? candidates[0]?.parent : undefined;
}

interface KeyPlace {
  readonly key: string;
  /** The path of the object; empty for the whole config. */
  readonly parent: string;
}

const PLACES: readonly KeyPlace[] = placesIn(configJsonSchema, "");

function placesIn(schema: unknown, parent: string): readonly KeyPlace[] {
  if (!isPlainObject(schema)) return [];
  const properties = isPlainObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const places = properties.flatMap(([key, field]) => [
    { key, parent },
    ...placesIn(field, parent === "" ? key : `${parent}.${key}`),
  ]);
  return [...places, ...placesIn(schema["items"], `${parent}[]`)];
}
