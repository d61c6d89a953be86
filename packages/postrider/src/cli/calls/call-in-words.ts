// Writes one call as a line: when it came in, what came of it, its source and messageId, and why it goes where it goes.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { counted } from "../format-count.js";
import type { Line, Style } from "../terminal/line.js";
import { refusalCodeInWords } from "./refusal-in-words.js";

const STYLES: ReadonlyMap<string, Style> = new Map([
  ["accepted", "good"],
  ["refused", "bad"],
  ["shed", "bad"],
  ["unknown-key", "bad"],
]);
/** The length of the longest outcome. */
const OUTCOME_LENGTH = 11;

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
    ...(count > 0 ? [counted(count, "delivery", "deliveries")] : []),
    ...filtered,
    ...warningsInWords(call),
    ...(isPlainObject(refusal) ? [refusalCodeInWords(refusal)] : []),
    ...(typeof calls === "number" && calls > 1 ? [counted(calls, "call")] : []),
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
