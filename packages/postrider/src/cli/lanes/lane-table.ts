// Writes lanes as a table: one row for each destination. What needs an operator is in colour.

import type { EpochMs, JsonObject } from "@postrider/core";
import { formatDuration, isPlainObject, parseTimestamp } from "@postrider/core/engine";
import { fieldOf } from "../deliveries/delivery-json.js";
import { counted } from "../format-count.js";
import type { Line, Style } from "../terminal/line.js";
import { type Cell, tableLines } from "../terminal/table.js";

export interface LaneTableSettings {
  readonly now: EpochMs;
  /** The characters of a line; if undefined, nothing is cut. */
  readonly width: number | undefined;
}

const COLUMNS = [
  { heading: "destination" },
  { heading: "mode" },
  { heading: "waiting" },
  { heading: "bytes" },
  { heading: "in flight" },
  { heading: "next due" },
  { heading: "window left" },
  { heading: "died" },
  { heading: "because", isCuttable: true },
];

const STYLES: ReadonlyMap<string, Style> = new Map([
  ["open", "good"],
  ["held", "bad"],
  ["refusing", "bad"],
  ["blocked", "bad"],
  ["gone", "bad"],
]);

/** The modes that an operator ends in the settings. */
const CLOSED: ReadonlyMap<string, readonly string[]> = new Map([
  ["off", ['off in the settings ("enabled")']],
  ["gone", ["not in the settings"]],
]);

export function laneTable(lanes: readonly JsonObject[], { now, width }: LaneTableSettings): readonly Line[] {
  return tableLines(
    COLUMNS,
    lanes.map((lane) => rowOf(lane, now)),
    width,
  );
}

function rowOf(lane: JsonObject, now: EpochMs): readonly Cell[] {
  const mode = fieldOf(lane, "mode");
  return [
    fieldOf(lane, "destination"),
    { text: mode, style: STYLES.get(mode) ?? "caution" },
    fieldOf(lane, "deliveries"),
    fieldOf(lane, "bytes"),
    `${fieldOf(lane, "inFlight")}/${fieldOf(lane, "limit")}`,
    nextDueOf(lane, mode, now),
    untilInstant(lane, "windowEndsAt", now),
    lane["deaths"] === 0 ? "-" : { text: fieldOf(lane, "deaths"), style: "bad" },
    causeOf(lane, now),
  ];
}

/** What is due in a lane that sends nothing goes when that ends, and not now. */
function nextDueOf(lane: JsonObject, mode: string, now: EpochMs): string {
  const due = untilInstant(lane, "nextDueAt", now);
  return due === "now" && mode !== "open" ? "-" : due;
}

/** `5 min 0 s`, `now` for an instant that is past, or a dash. */
function untilInstant(lane: JsonObject, name: string, now: EpochMs): string {
  const at = parseTimestamp(fieldOf(lane, name));
  if (at === undefined) return "-";
  return at > now ? formatDuration(at - now) : "now";
}

/** Why it does not send as fast as it could. */
function causeOf(lane: JsonObject, now: EpochMs): string {
  const { pausedBy, backoff, endpointHolds } = lane;
  const by = Array.isArray(pausedBy) ? pausedBy.map(String) : [];
  const holds = Array.isArray(endpointHolds) ? endpointHolds.length : 0;
  const causes = [
    ...(CLOSED.get(fieldOf(lane, "mode")) ?? []),
    ...(by.length > 0 ? [`paused by ${by.join(" and ")}`] : []),
    ...(isPlainObject(backoff) ? [backoffInWords(backoff, now)] : failureInWords(lane)),
    ...rateInWords(lane, now),
    ...(holds > 0 ? [`Retry-After of ${counted(holds, "endpoint")}`] : []),
  ];
  return causes.join("; ") || "-";
}

/** The last failure, unless the receiver has taken a message since. */
function failureInWords({ lastFailure }: JsonObject): readonly string[] {
  if (!isPlainObject(lastFailure)) return [];
  return [`last ${lastFailure["isRefusal"] === true ? "refused" : "failed"} with ${fieldOf(lastFailure, "detail")}`];
}

/** The rate limit, while deliveries wait for it. */
function rateInWords({ rate, deliveries }: JsonObject, now: EpochMs): readonly string[] {
  if (!isPlainObject(rate) || deliveries === 0) return [];
  const next = untilInstant(rate, "nextAt", now);
  return next === "now" || next === "-" ? [] : [`rate limit, next in ${next}`];
}

function backoffInWords(backoff: JsonObject, now: EpochMs): string {
  const since = parseTimestamp(fieldOf(backoff, "since"));
  const next = untilInstant(backoff, "nextProbeAt", now);
  const words = [
    [
      fieldOf(backoff, "kind"),
      ...(since === undefined ? [] : [`for ${formatDuration(Math.max(0, now - since))}`]),
    ].join(" "),
    ...(backoff["detail"] === null ? [] : [`after ${fieldOf(backoff, "detail")}`]),
    `next probe ${next === "now" ? next : `in ${next}`}`,
  ];
  return words.join(", ");
}
