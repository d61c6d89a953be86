// Whose call it is: the write key, from Basic auth or else from the body, and the source that it belongs to. Keys are
// looked up by their digest, so that the time of a look-up says nothing about how close a guess came.

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { type JsonObject, type SourceId, type Workspace } from "@postrider/core";

export type FindSource = (writeKey: string) => SourceId | undefined;

/** Finds the source of a write key in the settings in force; the index is made anew when these change. */
export function createKeyIndex(workspace: () => Workspace): FindSource {
  let indexed: Workspace | undefined;
  let sources: ReadonlyMap<string, SourceId> = new Map();
  return (writeKey) => {
    const inForce = workspace();
    if (inForce !== indexed) sources = indexSources(inForce);
    indexed = inForce;
    return sources.get(digestOf(writeKey));
  };
}

/** The user of a Basic `authorization`, with or without the colon that should follow; undefined if there is none. */
export function basicKey(authorization: string | undefined): string | undefined {
  const encoded = /^basic +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const [key = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":", 1);
  return key === "" ? undefined : key;
}

/** The `writeKey` that a body carries. */
export function bodyKey(body: JsonObject): string | undefined {
  const key = Object.hasOwn(body, "writeKey") ? body["writeKey"] : undefined;
  return typeof key === "string" ? key : undefined;
}

function indexSources(workspace: Workspace): ReadonlyMap<string, SourceId> {
  return new Map(workspace.sources.map((source) => [digestOf(source.writeKey.reveal()), source.id]));
}

function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("base64");
}
