// The document of settings as the page reads and changes it: sources and destinations by their ids; all else stays as
// it is. It is put over the revision that was seen: if another one came first, it is refused with 412.

import type { SettingsJson } from "@postrider/http/api";
import { type FetchResult, change } from "../base/ask.js";

/** One source in the settings. */
export interface DocumentSource {
  readonly id: string;
  readonly name?: string;
  /** The digest of its key. */
  readonly writeKey: string;
}

interface EndpointEntry {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The connection of a destination to a source: its id, or an object with further options. */
type Connection = string | { readonly source: string };

/** One destination in the settings. A secret that is set is sealed, or a reference. */
export interface DocumentDestination {
  readonly id: string;
  readonly name?: string;
  readonly enabled?: boolean;
  readonly sources: readonly Connection[];
  readonly endpoints: readonly EndpointEntry[];
  /** One, or several, the newest first. */
  readonly sharedSecret?: string | readonly string[];
  readonly standardWebhooks?: boolean;
}

export interface Document {
  readonly sources?: readonly DocumentSource[];
  readonly destinations?: readonly DocumentDestination[];
  readonly [key: string]: unknown;
}

/** Settings as the API shows them. */
export interface Settings extends Omit<SettingsJson, "document"> {
  readonly document: Document;
}

/** The destination with this id. */
export function destinationIn({ destinations = [] }: Document, wanted: string): DocumentDestination | undefined {
  return destinations.find(({ id }) => id === wanted);
}

/** True if a source has this id. */
export function hasSource({ sources = [] }: Document, wanted: string | undefined): boolean {
  return sources.some(({ id }) => id === wanted);
}

type List = "sources" | "destinations";

/** The document with this entry in place of the one with its id, or behind the others. */
export function withEntry(document: Document, list: List, entry: DocumentSource | DocumentDestination): Document {
  const entries: readonly { readonly id: string }[] = document[list] ?? [];
  const isThere = entries.some(({ id }) => id === entry.id);
  return {
    ...document,
    [list]: isThere ? entries.map((existing) => (existing.id === entry.id ? entry : existing)) : [...entries, entry],
  };
}

/** The document without the entry of this id. */
export function withoutEntry(document: Document, list: List, removedId: string): Document {
  const entries: readonly { readonly id: string }[] = document[list] ?? [];
  return { ...document, [list]: entries.filter(({ id }) => id !== removedId) };
}

/** The path of an entry in the problems of a check, such as `destinations[2]`. */
export function pathOfEntry(document: Document, list: List, id: string): string {
  const index = (document[list] ?? []).findIndex((entry) => entry.id === id);
  return `${list}[${String(index)}]`;
}

/** The id of a source to which a destination is connected. */
export function idOfConnection(connection: Connection): string {
  return typeof connection === "string" ? connection : connection.source;
}

/** An id for a new source, which no other one has. */
export function freeSourceId({ sources = [] }: Document): string {
  const ids = new Set(sources.map(({ id }) => id));
  let number = 1;
  while (ids.has(`source-${String(number)}`)) number += 1;
  return `source-${String(number)}`;
}

/** The text that stands for a set secret in settings that a file owns. */
export const HIDDEN = "(hidden)";

/** True if a text of the settings stands for a secret that the server has, which is not shown. A reference is shown. */
export function isHiddenText(text: string): boolean {
  return text.startsWith("sealed:") || text === HIDDEN;
}

/** `over` is null before the first revision. */
export function putSettings(
  document: Document,
  over: number | null,
): Promise<FetchResult<{ readonly revision: number }>> {
  return change("PUT", "api/settings", document, { "If-Match": `"${String(over ?? 0)}"` });
}

/** Puts a document over a revision: the latest one if none is given. Resolves with whether it was put; if not, the screen says why. */
export type Put = (document: Document, over?: number | null) => Promise<boolean>;
