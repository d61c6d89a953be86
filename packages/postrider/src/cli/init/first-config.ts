// Writes the JSON of a first config: one source, one destination, a store in a file beside it. Secrets are references to
// files, so that the config can be committed and shown. Writes no file.

import { hasForbiddenAddress } from "@postrider/undici";
import { isIPv6 } from "node:net";
import { PROGRAM_VERSION } from "../../assembly/program-version.js";

export interface FirstConfig {
  /** The endpoint. */
  readonly url: string;
  readonly source: string;
  readonly writeKey: string;
  readonly destination: string;
  readonly port: number;
  /** The values of `apiToken` and `sharedSecret`, or references to them. */
  readonly apiToken: string;
  readonly sharedSecret: string;
  /** The JSON Schema of the file, for editors. */
  readonly schema: string;
}

/** The value of the config. `url` must be a URL. */
export function firstConfig(first: FirstConfig): object {
  const { url, source, writeKey, destination, port, apiToken, sharedSecret, schema } = first;
  const allow = rangesFor(url);
  return {
    $schema: schema,
    listen: { host: "127.0.0.1", port },
    store: "sqlite:./postrider.db",
    apiToken,
    sources: [{ id: source, writeKey }],
    destinations: [{ id: destination, sources: [source], endpoints: [{ url }], sharedSecret }],
    ...(allow.length === 0 ? {} : { network: { allow } }),
  };
}

/** The schema of this version, where the package is published. */
export function schemaUrl(): string {
  return `https://unpkg.com/postrider@${PROGRAM_VERSION}/postrider.schema.json`;
}

/** The host of a URL, IPv6 without brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Whether a host is this machine by its name or its address. */
export function isThisMachine(host: string): boolean {
  return /^(?:.+\.)?localhost\.?$/.test(host) || /^127\./.test(host) || host === "::1";
}

/** What has to be allowed for an endpoint that is not public; nothing for other names, which are resolved later. */
function rangesFor(url: string): readonly string[] {
  const host = hostOf(url);
  if (isThisMachine(host)) return ["127.0.0.0/8", "::1/128"];
  if (!hasForbiddenAddress(url)) return [];
  return [`${host}/${isIPv6(host) ? "128" : "32"}`];
}
