// The values that a person has entered to set a destination up, and the document that they make. A text that stands for a set secret is
// kept as it is. Values that were entered on older settings replace newer ones only if the person has seen the difference.

import {
  type DocumentDestination,
  destinationIn,
  type Document,
  idOfConnection,
  isHiddenText,
  withEntry,
  hasSource,
  type Settings,
} from "./document.js";

export interface HeaderDraft {
  readonly name: string;
  readonly value: string;
}

export interface EndpointDraft {
  readonly url: string;
  readonly headers: readonly HeaderDraft[];
}

/** A source that is made along with the destination. */
export interface SourceDraft {
  readonly id: string;
  /** The key itself, which is shown once; the document has its digest. */
  readonly writeKey: string;
  readonly digest: string;
}

export interface DestinationDraft {
  /** Undefined if only sources are used that are there. */
  readonly source: SourceDraft | undefined;
  readonly id: string;
  readonly name: string;
  readonly sources: readonly string[];
  readonly endpoints: readonly EndpointDraft[];
  /** The secret that signs; none if empty. */
  readonly secret: string;
  /** Earlier secrets, the newest first, by which the signatures of Standard Webhooks are made too. */
  readonly older: readonly string[];
  /** True if the headers of Standard Webhooks are sent too. */
  readonly isStandard: boolean;
  readonly isOn: boolean;
}

/** The texts of a destination that stand for set values that are not shown. */
export function hiddenTextsOf(document: Document, id: string): ReadonlySet<string> {
  const destination = destinationIn(document, id);
  if (destination === undefined) return new Set();
  const { endpoints, sharedSecret = [] } = destination;
  const values = endpoints.flatMap(({ url, headers = {} }) => [url, ...Object.values(headers)]);
  return new Set([...values, ...[sharedSecret].flat()].filter(isHiddenText));
}

export const MAX_ENDPOINTS = 5;

export const MAX_HEADERS = 5;

const KEY_BYTES = 16;

const SECRET_BYTES = 32;

export const EMPTY_ENDPOINT: EndpointDraft = { url: "", headers: [] };

/** A draft of a new destination. Without a source in the settings one is made too. */
export async function newDraft(document: Document): Promise<DestinationDraft> {
  const [first] = document.sources ?? [];
  const source = first === undefined ? await newSource("website") : undefined;
  return {
    source,
    id: "",
    name: "",
    sources: [first?.id ?? "website"],
    endpoints: [EMPTY_ENDPOINT],
    secret: newSecret(),
    older: [],
    isStandard: false,
    isOn: true,
  };
}

/** A draft of a destination that is there. */
export function draftOf(destination: DocumentDestination): DestinationDraft {
  const { id, name = "", enabled = true, sources, endpoints, standardWebhooks = false } = destination;
  return {
    source: undefined,
    id,
    name,
    sources: sources.map(idOfConnection),
    endpoints: endpoints.map(({ url, headers = {} }) => ({
      url,
      headers: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
    })),
    ...secretsIn(destination.sharedSecret),
    isStandard: standardWebhooks,
    isOn: enabled,
  };
}

/** The changes of a person to `begun`, on top of another person's changes meanwhile; and the keys that both have changed. */
export function mergeDrafts(
  begun: DestinationDraft,
  mine: DestinationDraft,
  theirs: DestinationDraft,
): { readonly draft: DestinationDraft; readonly both: readonly (keyof DestinationDraft)[] } {
  // Safe cast: the keys of a draft.
  const keys = Object.keys(mine) as (keyof DestinationDraft)[];
  const differs = (a: DestinationDraft, b: DestinationDraft, key: keyof DestinationDraft): boolean =>
    JSON.stringify(a[key]) !== JSON.stringify(b[key]);
  const unchanged = keys.filter((key) => !differs(begun, mine, key)).map((key) => [key, theirs[key]]);
  const both = keys.filter(
    (key) => differs(begun, mine, key) && differs(begun, theirs, key) && differs(mine, theirs, key),
  );
  // Safe cast: each key has the value that one of the drafts has for it.
  return { draft: { ...mine, ...(Object.fromEntries(unchanged) as Partial<DestinationDraft>) }, both };
}

/** A new source with a new key. */
export async function newSource(id: string): Promise<SourceDraft> {
  const writeKey = `wk_${draw(KEY_BYTES)}`;
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(writeKey));
  return { id, writeKey, digest: `sha256:${hexOf(new Uint8Array(bytes))}` };
}

/** The secrets in the settings, as a draft has them. */
export function secretsIn(shared: string | readonly string[] = []): Pick<DestinationDraft, "secret" | "older"> {
  const [secret = "", ...older] = [shared].flat();
  return { secret, older };
}

/** A new secret. */
export function newSecret(): string {
  const secret = draw(SECRET_BYTES);
  drawnSecrets.add(secret);
  return secret;
}

const drawnSecrets = new Set<string>();

/** True if a secret was drawn here, so that no person has it yet. */
export function isDrawn(secret: string): boolean {
  return drawnSecrets.has(secret);
}

/**
 * The draft with another secret in place of the one that is set. A receiver that verifies by Standard Webhooks may use either for a
 * while; `X-Signature` is made with the new one alone.
 */
export function withNewSecret(draft: DestinationDraft): DestinationDraft {
  const older = draft.isStandard ? [draft.secret, ...draft.older] : [];
  return { ...draft, secret: newSecret(), older };
}

/** The document with the entered values. */
export function documentOf(draft: DestinationDraft, document: Document): Document {
  const { source } = draft;
  const withSource =
    source === undefined ? document : withEntry(document, "sources", { id: source.id, writeKey: source.digest });
  const existing = destinationIn(document, draft.id);
  return withEntry(withSource, "destinations", entryOf(draft, existing));
}

function entryOf(
  { id, name, sources, endpoints, secret, older, isStandard, isOn }: DestinationDraft,
  existing: DocumentDestination | undefined,
): DocumentDestination {
  // A connection with further options stays as it is.
  const connections = sources.map(
    (source) => existing?.sources.find((connection) => idOfConnection(connection) === source) ?? source,
  );
  return {
    ...without(existing ?? {}, ["name", "enabled", "sharedSecret", "standardWebhooks"]),
    id,
    ...(name === "" ? {} : { name }),
    ...(isOn ? {} : { enabled: false }),
    sources: connections,
    endpoints: endpoints.map(({ url, headers }) => ({
      url: url.trim(),
      ...(headers.length === 0
        ? {}
        : { headers: Object.fromEntries(headers.map((header) => [header.name, header.value])) }),
    })),
    ...(secret === "" ? {} : { sharedSecret: older.length === 0 ? secret : [secret, ...older] }),
    ...(isStandard ? { standardWebhooks: true } : {}),
  };
}

/** The entry without these keys, so that the entered values stand in their place. */
function without(
  entry: Partial<DocumentDestination>,
  keys: readonly (keyof DocumentDestination)[],
): Partial<DocumentDestination> {
  const remaining = { ...entry };
  for (const key of keys) Reflect.deleteProperty(remaining, key);
  return remaining;
}

function draw(bytes: number): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(bytes)));
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The values that a person enters over some settings. */
export interface Work {
  /** The settings over which they are saved. */
  readonly base: Settings;
  /** The draft before anything was entered. */
  readonly begun: DestinationDraft;
  readonly draft: DestinationDraft;
}

/** The same work on the latest settings, and the keys that another person has changed too. */
export function moveWork(
  { begun, draft }: Work,
  latest: Settings,
): { readonly work: Work; readonly both: readonly (keyof DestinationDraft)[] } {
  const destination = destinationIn(latest.document, draft.id);
  const theirs = destination === undefined ? begun : draftOf(destination);
  const merged = mergeDrafts(begun, draft, theirs);
  // A source of this id that the other person has made is used as it is: its key stays.
  const isTaken = hasSource(latest.document, draft.source?.id);
  const moved = isTaken ? { ...merged.draft, source: undefined } : merged.draft;
  return { work: { base: latest, begun: theirs, draft: moved }, both: merged.both };
}
