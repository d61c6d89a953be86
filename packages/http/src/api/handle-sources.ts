// GET /api/sources and GET /api/seen: shows the sources in force with their destinations, and whether a messageId was
// accepted within the dedupe window (decision: seen message ids). Shows no key: a caller finds the source of a key by
// the digest of the key (decision: secrets at rest).

import { type Source, type Workspace, type SeenMessage, type SeenQuery, sourceId } from "@postrider/core";
import { readWriteKey, formatTimestamp } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "../index.js";
import { createHash } from "node:crypto";
import type { Relay } from "@postrider/relay";
import {
  component,
  flagSchema,
  listSchema,
  objectSchema,
  type Of,
  textSchema,
  instantSchema,
  integerSchema,
} from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { type Field, type Fields, readQuery, textField } from "./read-request.js";
import { problemAnswer, faultAnswer } from "./refuse.js";

const DIGEST = /^sha256:([\da-f]{64})$/;

const DIGEST_FIELD: Field<string> = {
  expected: "sha256: and the 64 lower-case hexadecimal digits of the write key's digest",
  schema: textSchema({ pattern: DIGEST.source }),
  read: (value) => (typeof value === "string" ? DIGEST.exec(value)?.[1] : undefined),
};

interface Filters {
  /** The SHA-256 of a write key in hexadecimal digits. */
  readonly writeKey: string;
}

const SOURCE_FILTERS: Fields<Filters> = { writeKey: DIGEST_FIELD };

/** A destination that is connected to a source. */
interface ConnectedJson {
  readonly destination: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly paused: boolean;
  readonly acceptsHistorical: boolean;
}

const CONNECTED = component<ConnectedJson>("ConnectedDestination", {
  destination: textSchema(),
  name: textSchema(),
  enabled: flagSchema(),
  paused: flagSchema(),
  acceptsHistorical: flagSchema(),
});

/** A source with its destinations, in an answer. */
export interface SourceJson {
  readonly source: string;
  readonly name: string;
  readonly destinations: readonly ConnectedJson[];
}

const SOURCE = component<SourceJson>("Source", {
  source: textSchema(),
  name: textSchema(),
  destinations: listSchema(CONNECTED),
});

const SOURCES = objectSchema({ sources: listSchema(SOURCE) });

export const LIST_SOURCES: ApiOperation = {
  id: "listSources",
  summary: "Lists the sources and the destinations that are connected to them.",
  readBy: "viewer",
  query: { fields: SOURCE_FILTERS },
  answer: { status: 200, description: "the sources and where their calls go", schema: SOURCES },
  refusals: [],
};

/** Answers `{ sources }`, in the order of the settings. */
export function handleListSources({ sources, destinations }: Workspace, query: string): Answer {
  const filters = readQuery(query, SOURCE_FILTERS);
  if (filters.kind === "refused") return problemAnswer("bad-query", filters.problems);
  const { writeKey } = filters.value;
  const matches = writeKey === undefined ? sources : sources.filter((source) => digestOf(source) === writeKey);
  const entries = matches.map((source) => describeSource(source, destinations));
  return jsonAnswer(200, { sources: entries } satisfies Of<typeof SOURCES>);
}

function digestOf({ writeKey }: Source): string | undefined {
  const outcome = readWriteKey(writeKey);
  if (outcome.kind === "digest") return outcome.hex;
  return outcome.kind === "plain" ? createHash("sha256").update(outcome.key).digest("hex") : undefined;
}

function describeSource({ id, name }: Source, destinations: Workspace["destinations"]): SourceJson {
  const connected = destinations.filter(({ sources }) => sources.some(({ source }) => source === id));
  return {
    source: id,
    name,
    destinations: connected.map((destination) => ({
      destination: destination.id,
      name: destination.name,
      enabled: destination.enabled,
      paused: destination.paused,
      acceptsHistorical: destination.acceptsHistorical,
    })),
  };
}

const SEEN_FILTERS: Fields<Required<SeenQuery>> = {
  messageId: textField(String),
  source: textField((id) => sourceId(id)),
};

const SEEN_CALL = component("SeenCall", {
  source: textSchema(),
  messageId: textSchema(),
  seenAt: instantSchema(),
  deliveries: integerSchema(),
});

const SEEN = objectSchema({ seen: listSchema(SEEN_CALL) });

export const LIST_SEEN: ApiOperation = {
  id: "listSeen",
  summary: "Tells whether a call was accepted within the dedupe window, even if it was filtered.",
  readBy: "viewer",
  query: { fields: SEEN_FILTERS, required: ["messageId"] },
  answer: { status: 200, description: "what was accepted of late under a messageId", schema: SEEN },
  refusals: ["store-unavailable"],
};

/** Answers `{ seen }`: at most one entry for each source, in any order. */
export async function handleListSeen(relay: Pick<Relay, "seen">, query: string): Promise<Answer> {
  const filters = readQuery(query, SEEN_FILTERS);
  if (filters.kind === "refused") return problemAnswer("bad-query", filters.problems);
  const { messageId, ...otherFilters } = filters.value;
  if (messageId === undefined)
    return problemAnswer("bad-query", [{ path: "messageId", expected: SEEN_FILTERS.messageId.expected }]);
  return relay.seen({ messageId, ...otherFilters }).match((messages) => {
    const entries = messages.map((message) => describeSeen(messageId, message));
    return jsonAnswer(200, { seen: entries } satisfies Of<typeof SEEN>);
  }, faultAnswer);
}

function describeSeen(messageId: string, { source, seenAt, deliveries }: SeenMessage): Of<typeof SEEN_CALL> {
  return { source, messageId, seenAt: formatTimestamp(seenAt), deliveries };
}
