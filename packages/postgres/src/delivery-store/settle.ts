// Settlements, replays and late attempts as arrays, in the order of the parameters of the SQL function `commit`. Attempts and the states of
// endpoints are JSON: they are written with their delivery, and read when it is shown. Excerpts are apart, since a request about users
// removes them.

import {
  type Changes,
  type Outcome,
  type Replay,
  type Settlement,
  type AttemptRecord,
  type EndpointState,
  endpointId,
  epochMs,
  type Fault,
} from "@postrider/core";
import { int2Array, int4Array, int8Array, keyArray, textArray } from "../wire/values.js";
import { hashTextOf } from "../wire/text.js";
import { OUTCOMES, placeOf, codeOfReason, STARTS } from "./codes.js";
import type { Leased } from "./leased.js";

/** The parameters about settlements. */
export function writeSettlements(settlements: readonly Settlement[], leased: Leased): readonly Buffer[] {
  const places = settlements.map(({ id }) => placeOf(id));
  const inLeases = settlements.map(({ id, token }) => leased.find(id, token));
  const keys = new Map<string, string>();
  return [
    int8Array(places.map(({ id }) => id)),
    int4Array(places.map(({ place }) => place)),
    keyArray(settlements.map(({ token }) => keyOnce(keys, token))),
    int2Array(settlements.map(({ outcome }) => OUTCOMES[outcome.kind])),
    int8Array(settlements.map(({ outcome }) => ("dueAt" in outcome ? outcome.dueAt : null))),
    int2Array(settlements.map(({ outcome }) => (outcome.kind === "dead" ? codeOfReason(outcome.reason) : null))),
    int8Array(settlements.map(({ attempts }) => firstStart(attempts))),
    textArray(settlements.map(({ outcome }) => detailOf(outcome))),
    int4Array(settlements.map(({ attempts }) => attempts.length)),
    textArray(settlements.map(({ attempts }) => writeAttempts(attempts))),
    textArray(settlements.map(({ endpoints }) => writeEndpoints(endpoints))),
    textArray(settlements.map(({ endpoints }) => writeExcerpts(endpoints))),
    int8Array(inLeases.map((known) => known?.lease ?? null)),
    int4Array(inLeases.map((known) => known?.pos ?? null)),
    int4Array(inLeases.map((known) => known?.lane ?? null)),
    int4Array(inLeases.map((known) => known?.source ?? null)),
    int4Array(inLeases.map((known) => known?.size ?? null)),
  ];
}

/** The parameters about replays. */
export function writeReplays(replays: readonly Replay[]): readonly Buffer[] {
  const places = replays.map(({ of }) => placeOf(of));
  return [
    int8Array(places.map(({ id }) => id)),
    int4Array(places.map(({ place }) => place)),
    int2Array(replays.map(({ start }) => STARTS[start.kind])),
    int8Array(replays.map(({ start }) => (start.kind === "waiting" ? start.dueAt : null))),
    int2Array(replays.map(({ once }) => (once === true ? 1 : 0))),
  ];
}

/** The parameters about late attempts. */
export function writeAppended(appended: Changes["append"]): readonly Buffer[] {
  const places = appended.map(({ id }) => placeOf(id));
  return [
    int8Array(places.map(({ id }) => id)),
    int4Array(places.map(({ place }) => place)),
    textArray(appended.map(({ attempt }) => writeAttempts([attempt]))),
  ];
}

function firstStart(attempts: Settlement["attempts"]): number | null {
  return attempts.length === 0 ? null : Math.min(...attempts.map(({ startedAt }) => startedAt));
}

/** The detail of an outcome; null if it has none. */
export function detailOf(outcome: Outcome): string | null {
  return ("detail" in outcome ? outcome.detail : undefined) ?? null;
}

/** The key of a token, computed once: many settlements have the same token. */
function keyOnce(keys: Map<string, string>, token: string): string {
  const key = keys.get(token) ?? hashTextOf(token);
  keys.set(token, key);
  return key;
}

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
export function readAttempts(forms: readonly Buffer[]): readonly AttemptRecord[] {
  const rows = forms.flatMap((bytes) => JSON.parse(bytes.toString("utf8")) as readonly StoredAttempt[]);
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

function byStartThenEndpoint(first: AttemptRecord, second: AttemptRecord): number {
  if (first.startedAt !== second.startedAt) return first.startedAt - second.startedAt;
  if (first.endpoint === second.endpoint) return 0;
  return first.endpoint < second.endpoint ? -1 : 1;
}

/** An endpoint; true if it has refused for good; otherwise the instant at which it refused last, if it has. */
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
  const excerptTexts =
    excerpts === undefined ? [] : (JSON.parse(excerpts.toString("utf8")) as readonly (string | null)[]);
  return states.map(([endpoint, refused, refusedAt], index) => {
    const excerpt = excerptTexts[index] ?? undefined;
    return {
      endpoint: endpointId(endpoint),
      refused,
      ...(refusedAt === null ? {} : { refusedAt: epochMs(refusedAt) }),
      ...(excerpt === undefined ? {} : { excerpt: new Uint8Array(Buffer.from(excerpt, "base64")) }),
    };
  });
}
