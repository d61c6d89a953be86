// Writes what the endpoints of a destination answered to a test event, as text: a table, what they answered, and what it would
// mean for a delivery.

import type { JsonObject } from "@postrider/core";
import { formatDuration, isOfOneMessage } from "@postrider/core/engine";
import type { Line } from "../terminal/line.js";
import { type Cell, tableLines } from "../terminal/table.js";
import { fieldOf, objectsIn, styleOf } from "./delivery-json.js";
import { excerptLines } from "./delivery-in-words.js";

const COLUMNS = [
  { heading: "endpoint", isCuttable: true },
  { heading: "answer", isCuttable: true },
  { heading: "took" },
  { heading: "verdict" },
];

/** If `width` is undefined, nothing is cut. */
export function testReportInWords(report: JsonObject, width: number | undefined): readonly Line[] {
  const attempts = objectsIn(report, "attempts");
  return [
    ...tableLines(COLUMNS, attempts.map(rowOf), width),
    ...excerptLines(attempts, (attempt) => `${fieldOf(attempt, "endpoint")} answered:`),
    "",
    meaningOf(attempts),
  ];
}

function rowOf(attempt: JsonObject): readonly Cell[] {
  const { status, durationMs } = attempt;
  const verdict = fieldOf(attempt, "verdict");
  return [
    fieldOf(attempt, "endpoint"),
    typeof status === "number" ? String(status) : fieldOf(attempt, "fault"),
    typeof durationMs === "number" ? formatDuration(durationMs) : "-",
    { text: verdict, style: styleOf(verdict) },
  ];
}

function meaningOf(attempts: readonly JsonObject[]): string {
  const verdicts = new Set(attempts.map((attempt) => fieldOf(attempt, "verdict")));
  if (verdicts.has("success")) return "a delivery would be delivered: one endpoint has to take it";
  if (verdicts.has("retry")) return "a delivery would be tried again: no endpoint took it";
  if (verdicts.has("local")) return "this says nothing about the receiver: the server's machine has a fault";
  return attempts.every(isFinal)
    ? "a delivery would be dead: every endpoint refused it for good"
    : "a delivery would be tried again until the refusal is final: every endpoint refused it";
}

/** Whether the refusal of an attempt is final at once. */
function isFinal({ status }: JsonObject): boolean {
  return typeof status === "number" && isOfOneMessage({ kind: "answered", status });
}
