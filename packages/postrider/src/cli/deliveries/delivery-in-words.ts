// Writes one delivery, as the API shows it, as text: its fields, a table of its attempts, what receivers answered.

import type { EpochMs, JsonObject } from "@postrider/core";
import { formatDuration, isPlainObject, parseTimestamp } from "@postrider/core/engine";
import type { Line, StyledText } from "../terminal/line.js";
import { type Cell, tableLines } from "../terminal/table.js";
import { causeOf, fieldOf, objectsIn, styleOf } from "./delivery-json.js";

export interface ShowSettings {
  readonly now: EpochMs;
  /** The characters of a line; if undefined, nothing is cut. */
  readonly width: number | undefined;
  /** True if the message is shown. */
  readonly hasMessage: boolean;
}

export function deliveryInWords(delivery: JsonObject, settings: ShowSettings): readonly Line[] {
  const message = settings.hasMessage ? ["", [strong("message")], messageOf(delivery)] : [];
  return [...fieldLines(delivery, settings.now), ...attemptLines(delivery, settings.width), ...message];
}

const NAME_LENGTH = 14;

function fieldLines(delivery: JsonObject, now: EpochMs): readonly Line[] {
  const state = fieldOf(delivery, "state");
  const fields: readonly (readonly [string, Cell])[] = [
    ["delivery", fieldOf(delivery, "id")],
    ["state", { text: state, style: styleOf(state) }],
    [state === "dead" ? "reason" : "last answer", causeOf(delivery)],
    ...dueField(delivery, now),
    ["destination", fieldOf(delivery, "destination")],
    ["source", fieldOf(delivery, "source")],
    ["type", fieldOf(delivery, "type")],
    ["message id", fieldOf(delivery, "messageId")],
    ["accepted", fieldOf(delivery, "acceptedAt")],
    ["tries", fieldOf(delivery, "attemptCount")],
    ["unrecorded", lapsesOf(delivery)],
    ["replay of", fieldOf(delivery, "replayOf")],
  ];
  return fields.filter(([, value]) => value !== "-").map(([name, value]) => [strong(name.padEnd(NAME_LENGTH)), value]);
}

/** The number of times that it may have been sent without a record of it, and the reason. */
function lapsesOf({ lapses }: JsonObject): string {
  return isPlainObject(lapses) ? fieldOf(lapses, "inWords") : "-";
}

/** The instant of the next attempt of a waiting delivery, or the end of the claim of a claimed one. */
function dueField(delivery: JsonObject, now: EpochMs): readonly (readonly [string, string])[] {
  const dueAt = fieldOf(delivery, "dueAt");
  const at = parseTimestamp(dueAt);
  if (at === undefined) return [];
  const when = at > now ? `in ${formatDuration(at - now)}` : "due now";
  return [[delivery["state"] === "claimed" ? "claim ends" : "next attempt", `${dueAt} (${when})`]];
}

const COLUMNS = [
  { heading: "round" },
  { heading: "started" },
  { heading: "took" },
  { heading: "answer", isCuttable: true },
  { heading: "verdict" },
  { heading: "endpoint", isCuttable: true },
];

function attemptLines(delivery: JsonObject, width: number | undefined): readonly Line[] {
  const attempts = objectsIn(delivery, "attempts");
  if (attempts.length === 0) return ["", "no attempt is recorded"];
  return ["", ...tableLines(COLUMNS, attempts.map(attemptRow), width), ...excerptLines(attempts, excerptTitle)];
}

function attemptRow(attempt: JsonObject): readonly Cell[] {
  const { status, durationMs } = attempt;
  const verdict = fieldOf(attempt, "verdict");
  return [
    fieldOf(attempt, "round"),
    fieldOf(attempt, "startedAt"),
    typeof durationMs === "number" ? formatDuration(durationMs) : "-",
    typeof status === "number" ? String(status) : fieldOf(attempt, "fault"),
    { text: verdict, style: styleOf(verdict) },
    fieldOf(attempt, "endpoint"),
  ];
}

function excerptTitle(attempt: JsonObject): string {
  return `round ${fieldOf(attempt, "round")}, ${fieldOf(attempt, "endpoint")} answered:`;
}

/** The stored excerpts of answers, each with a title. They are not cut, since they say what is wrong. */
export function excerptLines(
  attempts: readonly JsonObject[],
  titleOf: (attempt: JsonObject) => string,
): readonly Line[] {
  return attempts.flatMap((attempt) => {
    const excerpt = attempt["excerpt"];
    if (typeof excerpt !== "string" || excerpt === "") return [];
    return ["", [strong(titleOf(attempt))], excerpt.trimEnd()];
  });
}

function messageOf({ message }: JsonObject): string {
  return message === null || message === undefined ? "it was purged" : JSON.stringify(message, null, 2);
}

function strong(text: string): StyledText {
  return { text, style: "strong" };
}
