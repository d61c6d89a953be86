// GET /api/sources: the sources in force and the destinations that are connected to them. Shows no key: a caller finds the
// source of a key by the digest of the key (decision: secrets at rest).

import type { Source, Workspace } from "@postrider/core";
import { readWriteKey } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "@postrider/http";
import { createHash } from "node:crypto";
import { component, flagSchema, listSchema, objectSchema, type Of, textSchema } from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { type Field, type Fields } from "./read-fields.js";
import { readQuery } from "./read-query.js";
import { problemAnswer } from "./refuse.js";

interface Filters {
  /** The SHA-256 of a write key in hexadecimal digits. */
  readonly writeKey: string;
}

const DIGEST = /^sha256:([\da-f]{64})$/;

const DIGEST_FIELD: Field<string> = {
  expected: "sha256: and the 64 lower-case hexadecimal digits of the write key's digest",
  schema: textSchema({ pattern: DIGEST.source }),
  read: (value) => (typeof value === "string" ? DIGEST.exec(value)?.[1] : undefined),
};

const FILTERS: Fields<Filters> = { writeKey: DIGEST_FIELD };

const CONNECTED = component("ConnectedDestination", {
  destination: textSchema(),
  name: textSchema(),
  enabled: flagSchema(),
  paused: flagSchema(),
  acceptsHistorical: flagSchema(),
});
const SOURCE = component("Source", { source: textSchema(), name: textSchema(), destinations: listSchema(CONNECTED) });
const SOURCES = objectSchema({ sources: listSchema(SOURCE) });

export const LIST_SOURCES: ApiOperation = {
  id: "listSources",
  summary: "Lists the sources and the destinations that are connected to them.",
  readBy: "viewer",
  query: { fields: FILTERS },
  answer: { status: 200, description: "the sources and where their calls go", schema: SOURCES },
  refusals: [],
};

/** Answers `{ sources }`, in the order of the settings. */
export function handleListSources({ sources, destinations }: Workspace, query: string): Answer {
  const read = readQuery(query, FILTERS);
  if (read.kind === "refused") return problemAnswer("bad-query", read.problems);
  const { writeKey } = read.value;
  const asked = writeKey === undefined ? sources : sources.filter((source) => digestOf(source) === writeKey);
  const shown = asked.map((source) => describeSource(source, destinations));
  return jsonAnswer(200, { sources: shown } satisfies Of<typeof SOURCES>);
}

function digestOf({ writeKey }: Source): string | undefined {
  const read = readWriteKey(writeKey);
  if (read.kind === "digest") return read.hex;
  return read.kind === "plain" ? createHash("sha256").update(read.key).digest("hex") : undefined;
}

function describeSource({ id, name }: Source, destinations: Workspace["destinations"]): Of<typeof SOURCE> {
  const connected = destinations.filter(({ sources }) => sources.some(({ source }) => source === id));
  return {
    source: id,
    name,
    destinations: connected.map((to) => ({
      destination: to.id,
      name: to.name,
      enabled: to.enabled,
      paused: to.paused,
      acceptsHistorical: to.acceptsHistorical,
    })),
  };
}
