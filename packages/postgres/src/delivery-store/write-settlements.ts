// Settlements, replays and late attempts as arrays, in the order of the parameters of the function `commit`.

import type { Changes, Outcome, Replay, Settlement } from "@postrider/core";
import { int2Array, int4Array, int8Array, keyArray, textArray } from "../wire/arrays.js";
import { hashTextOf } from "../wire/key.js";
import { writeAttempts, writeEndpoints, writeExcerpts } from "./attempts.js";
import { OUTCOMES, placeOf, reasonCode, STARTS } from "./codes.js";

/** The parameters about settlements. */
export function writeSettlements(settlements: readonly Settlement[]): readonly Buffer[] {
  const places = settlements.map(({ id }) => placeOf(id));
  const keys = new Map<string, string>();
  return [
    int8Array(places.map(({ id }) => id)),
    int4Array(places.map(({ place }) => place)),
    keyArray(settlements.map(({ token }) => keyOnce(keys, token))),
    int2Array(settlements.map(({ outcome }) => OUTCOMES[outcome.kind])),
    int8Array(settlements.map(({ outcome }) => ("dueAt" in outcome ? outcome.dueAt : null))),
    textArray(settlements.map(({ outcome }) => detailOf(outcome))),
    int2Array(settlements.map(({ outcome }) => (outcome.kind === "dead" ? reasonCode(outcome.reason) : null))),
    int8Array(settlements.map(({ attempts }) => firstStart(attempts))),
    int4Array(settlements.map(({ attempts }) => attempts.length)),
    textArray(settlements.map(({ attempts }) => writeAttempts(attempts))),
    textArray(settlements.map(({ endpoints }) => writeEndpoints(endpoints))),
    textArray(settlements.map(({ endpoints }) => writeExcerpts(endpoints))),
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

function detailOf(outcome: Outcome): string | null {
  return ("detail" in outcome ? outcome.detail : undefined) ?? null;
}

/** Many settlements have the same token. */
function keyOnce(keys: Map<string, string>, token: string): string {
  const known = keys.get(token) ?? hashTextOf(token);
  keys.set(token, known);
  return known;
}
