// Settlements, replays and late attempts as arrays, in the order of the parameters of the function `commit`.

import type { Changes, Outcome, Replay, Settlement } from "@postrider/core";
import { byteaArray, int2Array, int4Array, int8Array, uuidArray } from "../wire/arrays.js";
import { hashKeyOf } from "../wire/key.js";
import { encodeAnyText } from "../wire/text.js";
import { writeAttempts, writeEndpoints, writeExcerpts } from "./attempts.js";
import { OUTCOMES, placeOf, reasonCode, STARTS } from "./codes.js";

/** The parameters about settlements. */
export function writeSettlements(settlements: readonly Settlement[]): readonly Buffer[] {
  const places = settlements.map(({ id }) => placeOf(id));
  const keys = new Map<string, Buffer>();
  return [
    int8Array(places.map(({ id }) => id)),
    int4Array(places.map(({ place }) => place)),
    uuidArray(settlements.map(({ token }) => keyOnce(keys, token))),
    int2Array(settlements.map(({ outcome }) => OUTCOMES[outcome.kind])),
    int8Array(settlements.map(({ outcome }) => ("dueAt" in outcome ? outcome.dueAt : null))),
    byteaArray(settlements.map(({ outcome }) => detailOf(outcome))),
    int2Array(settlements.map(({ outcome }) => (outcome.kind === "dead" ? reasonCode(outcome.reason) : null))),
    int8Array(settlements.map(({ attempts }) => firstStart(attempts))),
    int4Array(settlements.map(({ attempts }) => attempts.length)),
    byteaArray(settlements.map(({ attempts }) => writeAttempts(attempts))),
    byteaArray(settlements.map(({ endpoints }) => writeEndpoints(endpoints))),
    byteaArray(settlements.map(({ endpoints }) => writeExcerpts(endpoints))),
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
    byteaArray(appended.map(({ attempt }) => writeAttempts([attempt]))),
  ];
}

function firstStart(attempts: Settlement["attempts"]): number | null {
  return attempts.length === 0 ? null : Math.min(...attempts.map(({ startedAt }) => startedAt));
}

function detailOf(outcome: Outcome): Buffer | null {
  const detail = "detail" in outcome ? outcome.detail : undefined;
  return detail === undefined ? null : encodeAnyText(detail);
}

/** Many settlements have the same token. */
function keyOnce(keys: Map<string, Buffer>, token: string): Buffer {
  const known = keys.get(token) ?? hashKeyOf(token);
  keys.set(token, known);
  return known;
}
