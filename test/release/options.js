// Reads the words after `npm run release --`.

import { parseArgs } from "node:util";

export const HELP = `Usage: npm run release -- --registry URL [--dry-run]
       npm run release -- --set-version X.Y.Z

Publishes all packages, in the order in which they need one another. Checks first: nothing uncommitted, one version, a text
in the changelog, permissive licences. Can be run again after a failure: what is published already is left out.

  --registry URL       where to publish, such as the address that "npm config get registry" prints
  --dry-run            checks, builds, packs and compares with the registry, and publishes nothing
  --set-version X.Y.Z  writes this version into all packages and the changelog, for you to commit, and publishes nothing
  --help               shows this`;

const OPTIONS = {
  registry: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  "set-version": { type: "string" },
  help: { type: "boolean", short: "h", default: false },
};

const VERSION = /^(?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){2}(?:-[a-z]+\.\d{1,5})?$/;

/**
 * @param {readonly string[]} words
 * @returns {{ readonly kind: "help" } | { readonly kind: "set-version", readonly version: string } |
 *   { readonly kind: "publish", readonly registry: string, readonly isDry: boolean } |
 *   { readonly kind: "refused", readonly reason: string }}
 */
export function readOptions(words) {
  try {
    return judge(parseArgs({ args: [...words], options: OPTIONS }).values);
  } catch (error) {
    return { kind: "refused", reason: error.message };
  }
}

function judge(values) {
  const { registry, help, "dry-run": isDry, "set-version": version } = values;
  if (help) return { kind: "help" };
  if (version !== undefined) return judgeVersion(version, registry !== undefined || isDry);
  if (registry === undefined) return { kind: "refused", reason: "--registry: expected the URL of the registry" };
  if (!isRegistry(registry)) {
    return { kind: "refused", reason: "--registry: expected an https URL, or http on this machine" };
  }
  return { kind: "publish", registry, isDry };
}

function judgeVersion(version, hasMore) {
  if (hasMore) return { kind: "refused", reason: "--set-version: expected no other option beside it" };
  if (!VERSION.test(version)) {
    return { kind: "refused", reason: "--set-version: expected a version such as 1.2.3 or 1.2.3-rc.1" };
  }
  return { kind: "set-version", version };
}

/** Credentials would go over an unencrypted connection in clear: such a registry is allowed on this machine alone. */
function isRegistry(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(hostname));
}
