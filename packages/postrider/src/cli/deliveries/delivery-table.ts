// Writes deliveries as a table. The id is never cut, since `postrider show` takes it.

import type { JsonObject } from "@postrider/core";
import type { Line } from "../terminal/line.js";
import { type Cell, tableLines } from "../terminal/table.js";
import { causeOf, fieldOf, styleOf } from "./delivery-json.js";

const COLUMNS = [
  { heading: "id" },
  { heading: "state" },
  { heading: "cause", isCuttable: true },
  { heading: "tries" },
  { heading: "destination", isCuttable: true },
  { heading: "source", isCuttable: true },
  { heading: "type" },
  { heading: "message id", isCuttable: true },
  { heading: "accepted" },
];

/** `width`: the characters of a line; if absent, nothing is cut. */
export function deliveryTable(deliveries: readonly JsonObject[], width: number | undefined): readonly Line[] {
  return tableLines(COLUMNS, deliveries.map(rowOf), width);
}

function rowOf(delivery: JsonObject): readonly Cell[] {
  const state = fieldOf(delivery, "state");
  return [
    fieldOf(delivery, "id"),
    { text: state, style: styleOf(state) },
    causeOf(delivery),
    fieldOf(delivery, "attemptCount"),
    fieldOf(delivery, "destination"),
    fieldOf(delivery, "source"),
    fieldOf(delivery, "type"),
    fieldOf(delivery, "messageId"),
    secondsOf(fieldOf(delivery, "acceptedAt")),
  ];
}

/** An instant without its milliseconds: `2026-01-31T12:00:00Z`. */
function secondsOf(instant: string): string {
  return instant.replace(/\.\d{3}Z$/, "Z");
}
