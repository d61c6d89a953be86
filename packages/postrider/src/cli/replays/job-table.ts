// Writes replay jobs as a table. The id is never cut, since `show` and `cancel` take it.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { fieldOf } from "../deliveries/delivery-json.js";
import { formatCount } from "../format-count.js";
import type { Line, Style } from "../terminal/line.js";
import { type Cell, tableLines } from "../terminal/table.js";

const COLUMNS = [
  { heading: "id" },
  { heading: "state" },
  { heading: "expected" },
  { heading: "replayed" },
  { heading: "skipped" },
  { heading: "created" },
  { heading: "ended" },
  { heading: "filter", isCuttable: true },
];

const STYLES: ReadonlyMap<string, Style> = new Map([
  ["done", "good"],
  ["running", "strong"],
]);

/** `width`: the characters of a line; if absent, nothing is cut. */
export function jobTable(jobs: readonly JsonObject[], width: number | undefined): readonly Line[] {
  return tableLines(COLUMNS, jobs.map(rowOf), width);
}

function rowOf(job: JsonObject): readonly Cell[] {
  const state = fieldOf(job, "state");
  return [
    fieldOf(job, "id"),
    { text: state, style: STYLES.get(state) ?? "caution" },
    formatCount(job["expected"]),
    formatCount(job["replayed"]),
    formatCount(job["skipped"]),
    fieldOf(job, "createdAt"),
    fieldOf(job, "endedAt"),
    filterInWords(job["filter"]),
  ];
}

/** `states dead, destination crm`: what is not null. */
function filterInWords(filter: unknown): string {
  if (!isPlainObject(filter)) return "-";
  return Object.entries(filter)
    .flatMap(([name, value]) => (value === null ? [] : [`${name} ${wordOf(value)}`]))
    .join(", ");
}

function wordOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  return value.length > 3 ? `${value.slice(0, 2).map(String).join(" ")} …` : value.map(String).join(" ");
}
