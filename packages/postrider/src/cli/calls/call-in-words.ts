// Writes one call as a line: its time, outcome, source and messageId, and the reasons for its destinations. A refused call has the rule
// that it has broken, with the place in the call; docs/errors.md has advice for each code.

import type { JsonObject, RefusalCode } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { countOf } from "../format-count.js";
import type { Line, Style } from "../terminal/line.js";

const STYLES: ReadonlyMap<string, Style> = new Map([
  ["accepted", "good"],
  ["refused", "bad"],
  ["shed", "bad"],
  ["unknown-key", "bad"],
]);

/** The length of the longest outcome. */
const OUTCOME_LENGTH = 11;

const RULES: Readonly<Record<RefusalCode, string>> = {
  "unknown-type": "its type is no kind of call",
  "not-an-object": "an object is needed there",
  "not-a-string": "text is needed there",
  "id-not-string": "an id has to be text",
  "no-ids": "it has neither userId nor anonymousId",
  "no-event": "a track call needs the name of its event",
  "no-group-id": "a group call needs a groupId",
  "no-user-id": "an alias call needs a userId",
  "no-previous-id": "an alias call needs a previousId",
  "bad-message-id": "it is empty, or too long",
  "number-not-finite": "a BigInt has no place in JSON: send a number or a text",
  "too-deep": "it has more levels than are stored",
  "too-large": "it has more bytes than are stored",
};

const RULE_OF_CODE: ReadonlyMap<string, string> = new Map(Object.entries(RULES));

export function callInWords(call: JsonObject): Line {
  const outcome = fieldOf(call, "outcome");
  const words = [fieldOf(call, "source"), fieldOf(call, "messageId"), ...detailsOf(call)].filter(
    (word) => word !== "-",
  );
  return [
    { text: fieldOf(call, "at"), style: "quiet" },
    "  ",
    { text: outcome.padEnd(OUTCOME_LENGTH), style: STYLES.get(outcome) ?? "caution" },
    `  ${words.join("  ")}`.trimEnd(),
  ];
}

function detailsOf(call: JsonObject): readonly string[] {
  const { deliveries, refusal, calls } = call;
  const count = Array.isArray(deliveries) ? deliveries.length : 0;
  const filtered = objectsIn(call, "filtered").map(filteredInWords);
  const parts = [
    ...(count > 0 ? [countOf(count, "delivery", "deliveries")] : []),
    ...filtered,
    ...warningsInWords(call),
    ...(isPlainObject(refusal) ? [refusalCodeInWords(refusal)] : []),
    ...(typeof calls === "number" && calls > 1 ? [countOf(calls, "call")] : []),
  ];
  return parts.length > 0 ? [parts.join("; ")] : [];
}

/** `imprecise-number at properties.id, traits.n`, for each code of a warning. */
function warningsInWords(call: JsonObject): readonly string[] {
  const codes = new Set(objectsIn(call, "warnings").map((warning) => fieldOf(warning, "code")));
  return [...codes].map((code) => `${code} at ${warnedPaths(call, code).join(", ")}`);
}

/** The paths in a call that have a warning of this code. */
export function warnedPaths(call: JsonObject, code: string): readonly string[] {
  const warnings = objectsIn(call, "warnings").filter((warning) => warning["code"] === code);
  return warnings.map((warning) => fieldOf(warning, "path"));
}

function filteredInWords(unit: JsonObject): string {
  const reason = fieldOf(unit, "reason");
  return unit["destination"] === null ? reason : `not to ${fieldOf(unit, "destination")}: ${reason}`;
}

/** `no-event at event`; `an unknown rule` for an answer without a refusal. */
export function refusalCodeInWords(refusal: unknown): string {
  if (!isPlainObject(refusal)) return "an unknown rule";
  const path = fieldOf(refusal, "path");
  return path === "" ? fieldOf(refusal, "code") : `${fieldOf(refusal, "code")} at ${path}`;
}

/** `no-event at event (a track call needs the name of its event)`. A code of a newer server has no words. */
export function refusalInWords(refusal: unknown): string {
  const rule = isPlainObject(refusal) ? RULE_OF_CODE.get(fieldOf(refusal, "code")) : undefined;
  return `${refusalCodeInWords(refusal)}${rule === undefined ? "" : ` (${rule})`}`;
}
