// The attempts of a round, and what is kept of endpoints, as JSON. They are written with what they belong to, and looked at when a
// delivery is shown. Excerpts are apart, since a request about users removes them.

import { type AttemptRecord, type EndpointState, endpointId, epochMs, type Fault } from "@postrider/core";

type StoredAttempt = readonly [
  round: number,
  endpoint: string,
  startedAt: number,
  durationMs: number,
  result: number | string,
  verdict: string,
];

/** The stored form of attempts; null if there are none. */
export function writeAttempts(attempts: readonly AttemptRecord[]): string | null {
  if (attempts.length === 0) return null;
  const rows = attempts.map(({ round, endpoint, startedAt, durationMs, result, verdict }): StoredAttempt => {
    return [round, endpoint, startedAt, durationMs, result.kind === "answered" ? result.status : result.fault, verdict];
  });
  return JSON.stringify(rows);
}

/** The attempts of stored forms, ordered by start, then by endpoint. */
export function readAttempts(stored: readonly Buffer[]): readonly AttemptRecord[] {
  const rows = stored.flatMap((bytes) => JSON.parse(bytes.toString("utf8")) as readonly StoredAttempt[]);
  return rows.map(readAttempt).sort(byStartThenEndpoint);
}

function readAttempt([round, endpoint, startedAt, durationMs, result, verdict]: StoredAttempt): AttemptRecord {
  const isStatus = typeof result === "number";
  return {
    round,
    endpoint: endpointId(endpoint),
    startedAt: epochMs(startedAt),
    durationMs,
    result: isStatus ? { kind: "answered", status: result } : { kind: "silent", fault: result as Fault },
    verdict: verdict as AttemptRecord["verdict"],
  };
}

function byStartThenEndpoint(one: AttemptRecord, other: AttemptRecord): number {
  if (one.startedAt !== other.startedAt) return one.startedAt - other.startedAt;
  if (one.endpoint === other.endpoint) return 0;
  return one.endpoint < other.endpoint ? -1 : 1;
}

/** An endpoint, whether it has refused for good, and when it refused last if not. */
type StoredState = readonly [endpoint: string, refused: boolean, refusedAt: number | null];

/** The stored form of endpoints without excerpts; null if there are none. */
export function writeEndpoints(endpoints: readonly EndpointState[]): string | null {
  if (endpoints.length === 0) return null;
  const states = endpoints.map(({ endpoint, refused, refusedAt }): StoredState => [
    endpoint,
    refused,
    refusedAt ?? null,
  ]);
  return JSON.stringify(states);
}

/** The stored form of excerpts, one for each endpoint; null if there are none. */
export function writeExcerpts(endpoints: readonly EndpointState[]): string | null {
  if (endpoints.every(({ excerpt }) => excerpt === undefined)) return null;
  const excerpts = endpoints.map(({ excerpt }) => excerpt && Buffer.from(excerpt).toString("base64"));
  return JSON.stringify(excerpts.map((excerpt) => excerpt ?? null));
}

/** The endpoints of both stored forms. */
export function readEndpoints(endpoints: Buffer | undefined, excerpts: Buffer | undefined): readonly EndpointState[] {
  if (endpoints === undefined) return [];
  const states = JSON.parse(endpoints.toString("utf8")) as readonly StoredState[];
  const kept = excerpts === undefined ? [] : (JSON.parse(excerpts.toString("utf8")) as readonly (string | null)[]);
  return states.map(([endpoint, refused, refusedAt], index) => {
    const excerpt = kept[index] ?? undefined;
    return {
      endpoint: endpointId(endpoint),
      refused,
      ...(refusedAt === null ? {} : { refusedAt: epochMs(refusedAt) }),
      ...(excerpt === undefined ? {} : { excerpt: new Uint8Array(Buffer.from(excerpt, "base64")) }),
    };
  });
}
