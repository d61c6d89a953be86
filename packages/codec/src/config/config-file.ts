// The JSON form of the whole config file: a workspace, and the settings of the server. Shapes only, as an io-ts codec
// that changes nothing; `env:` and `file:` are expanded before.

import * as t from "io-ts";
import { closedObject } from "./closed-object.js";
import { addressRange, certificate, host, port, storeLocation, token } from "./leaves.js";
import { type WorkspaceFile, workspaceFieldCodecs } from "./workspace-file.js";

export interface ServerFile {
  /** The JSON Schema of the file, for editors; ignored. */
  readonly $schema?: string;
  readonly listen?: { readonly host?: string; readonly port?: number };
  readonly store?: string;
  readonly apiToken?: string;
  readonly trustedProxies?: readonly string[];
  readonly network?: { readonly allow?: readonly string[]; readonly ca?: readonly string[] };
}

/** The JSON value of a whole config file. */
export type ConfigFile = WorkspaceFile & ServerFile;

/** @internal */
export const workspaceFileCodec: t.Type<WorkspaceFile, unknown> = closedObject("an object", {
  required: {},
  optional: workspaceFieldCodecs,
});

/** @internal */
export const configFileCodec: t.Type<ConfigFile, unknown> = closedObject("an object", {
  required: {},
  optional: {
    $schema: t.string,
    listen: closedObject("an object", { required: {}, optional: { host, port } }),
    store: storeLocation,
    apiToken: token,
    trustedProxies: t.readonlyArray(addressRange, "a list of addresses and ranges"),
    ...workspaceFieldCodecs,
    network: closedObject("an object", {
      required: {},
      optional: {
        allow: t.readonlyArray(addressRange, "a list of addresses and ranges"),
        ca: t.readonlyArray(certificate, "a list of PEM certificates"),
      },
    }),
  },
});
