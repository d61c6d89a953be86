// Says what the server remembers of its latest calls: the reasons for which a call is not delivered to a destination, was refused or is a
// repeat. Says nothing about a server that remembers no calls. Sends no requests.

import type { CallWarning, JsonObject } from "@postrider/core";
import { warnedPaths, refusalInWords } from "../calls/call-in-words.js";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { countOf } from "../format-count.js";
import { badFinding, type Finding, openFinding } from "./finding.js";

/** The reasons for which destinations do not get the call: `ads: it was off …`. */
export function filteredInWords(call: JsonObject): readonly string[] {
  return objectsIn(call, "filtered").map((unit) => {
    const reason = fieldOf(unit, "reason");
    const why = FILTERED.get(reason) ?? reason;
    return unit["destination"] === null ? why : `${fieldOf(unit, "destination")}: ${why}`;
  });
}

const FILTERED: ReadonlyMap<string, string> = new Map([
  ["integrations", 'the "integrations" of the call switched it off'],
  ["destination-off", 'it was off ("enabled" was false)'],
  ["historical", "the call is historical, older than delivery.historicalAfterMs, and it does not accept such calls"],
  ["no-destination", 'no destination is connected to its source; name the source in the "sources" of a destination'],
]);

/** The call of a source that was stored. */
export function storedCall(calls: readonly JsonObject[] | undefined, source: string): JsonObject | undefined {
  const isStored = (call: JsonObject): boolean => call["outcome"] === "accepted" || call["outcome"] === "filtered";
  return calls?.find((call) => call["source"] === source && isStored(call));
}

/** The outcomes of the calls with one messageId that were not stored, the newest of each kind. */
export function diagnoseUnstored(calls: readonly JsonObject[]): readonly Finding[] {
  const callsWith = (outcome: string): readonly JsonObject[] => calls.filter((call) => call["outcome"] === outcome);
  return [
    ...newestOf(callsWith("suppressed"), (call) =>
      badFinding(`${arrivalInWords(call)} and was not stored: its user is suppressed`),
    ),
    ...newestOf(callsWith("refused"), (call) =>
      badFinding(`${arrivalInWords(call)} and was refused: ${refusalInWords(call["refusal"])}`),
    ),
    ...newestOf(callsWith("duplicate"), (call) => openFinding(duplicatesInWords(call, callsWith("duplicate").length))),
  ];
}

/** A finding for each code of a warning: the number of latest calls that have it, and where the newest of them has it. */
export function diagnoseWarnings(calls: readonly JsonObject[] | undefined): readonly Finding[] {
  return Object.entries(WARNED).flatMap(([code, [what, remedy]]) => {
    const warnedCalls = (calls ?? []).filter((call) => warnedPaths(call, code).length > 0);
    return newestOf(warnedCalls, (call) => {
      const amount = countOf(warnedCalls.length, "call", "calls");
      const where = `the last of ${fieldOf(call, "source")} at ${fieldOf(call, "at")}, at ${warnedPaths(call, code).join(", ")}`;
      return openFinding(`${amount} had ${what}, ${where}: ${remedy}`);
    });
  });
}

const WARNED: Readonly<Record<CallWarning["code"], readonly [what: string, remedy: string]>> = {
  "imprecise-number": ["a whole number beyond 2^53", "it may have changed, so send it as a text"],
  "unread-date": ["a date that cannot be read", "it was left out, so send ISO 8601"],
  "date-ahead": [
    "a time more than a day after they were sent",
    "they got the time of their receipt, so compare the clocks of the caller",
  ],
};

function newestOf(calls: readonly JsonObject[], say: (call: JsonObject) => Finding): readonly Finding[] {
  const [newest] = calls;
  return newest === undefined ? [] : [say(newest)];
}

function arrivalInWords(call: JsonObject): string {
  return `a call of ${fieldOf(call, "source")} with this messageId came in at ${fieldOf(call, "at")}`;
}

function duplicatesInWords(call: JsonObject, count: number): string {
  const further = countOf(count, "further call with it was a duplicate", "further calls with it were duplicates");
  return `${further}, the last at ${fieldOf(call, "at")}: nothing of a duplicate is stored`;
}

/** The latest call of an outcome; undefined if none is remembered. */
export function latestOf(calls: readonly JsonObject[] | undefined, outcome: string): JsonObject | undefined {
  return calls?.find((call) => call["outcome"] === outcome);
}

/** Requests without a key that a source has. They belong to no source, and so to no counter. */
export function diagnoseUnknownKeys(calls: readonly JsonObject[] | undefined): readonly Finding[] {
  const unknownKeyCalls = (calls ?? []).filter((call) => call["outcome"] === "unknown-key");
  return newestOf(unknownKeyCalls, (call) => {
    const amount = countOf(unknownKeyCalls.length, "request", "requests");
    const last = `the last at ${fieldOf(call, "at")}`;
    return openFinding(
      `${amount} showed no write key, or one that no source of the config has, ${last}: compare the keys`,
    );
  });
}
