// Reads the write key of a request, from Basic auth, the query of a beacon, or the body, and finds its source. Keys are
// looked up by their digest, so that the time of a look-up does not show how close a guess was, and so that settings
// may contain digests only (decision: secrets at rest).

import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import type { JsonObject, Source, Workspace } from "@postrider/core";
import { readWriteKey } from "@postrider/core/engine";

export type FindSource = (writeKey: string) => Source | undefined;

/**
 * Finds the source of a write key in the settings in force; the index is built again when the settings change. Blanks and line ends
 * around the key do not count, unless the settings have the digest of a key with them.
 */
export function createKeyIndex(workspace: () => Workspace): FindSource {
  let indexed: Workspace | undefined;
  let sources: ReadonlyMap<string, Source> = new Map();
  return (writeKey) => {
    const inForce = workspace();
    if (inForce !== indexed) sources = indexSources(inForce);
    indexed = inForce;
    const tidy = writeKey.trim();
    return sources.get(digestOf(writeKey)) ?? (tidy === writeKey ? undefined : sources.get(digestOf(tidy)));
  };
}

/** The user name in a Basic `authorization` header, with or without a colon after it; undefined if there is none. */
export function basicAuthKey(authorization: string | undefined): string | undefined {
  const encoded = /^basic +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const [key = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":", 1);
  return key === "" ? undefined : key;
}

/** The `writeKey` of a query: a browser sends a beacon when its page closes, and cannot add headers to it. */
export function queryKey(query: string): string | undefined {
  const key = new URLSearchParams(query).get("writeKey") ?? "";
  return key === "" ? undefined : key;
}

/** The `writeKey` of a body. */
export function bodyKey(body: JsonObject): string | undefined {
  const key = Object.hasOwn(body, "writeKey") ? body["writeKey"] : undefined;
  return typeof key === "string" ? key : undefined;
}

function indexSources({ sources }: Workspace): ReadonlyMap<string, Source> {
  const byDigest = new Map<string, Source>();
  for (const source of sources) {
    const writeKey = readWriteKey(source.writeKey);
    // Settings in force have been checked, and have no bad keys.
    if (writeKey.kind === "refused") continue;
    byDigest.set(writeKey.kind === "digest" ? writeKey.hex : digestOf(writeKey.key), source);
  }
  return byDigest;
}

function digestOf(key: string): string {
  return hash("sha256", key, "hex");
}
