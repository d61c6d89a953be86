// Writes the explanation of a delivery as text: its id and state, the reasons, and when something happens next.

import type { EpochMs, JsonObject } from "@postrider/core";
import { formatDuration, parseTimestamp } from "@postrider/core/engine";
import type { Line } from "../terminal/line.js";
import { fieldOf, styleOf } from "./delivery-json.js";

const NAME_LENGTH = 16;

export function explanationInWords(delivery: JsonObject, explanation: JsonObject, now: EpochMs): readonly Line[] {
  const state = fieldOf(delivery, "state");
  const title = [
    { text: `delivery ${fieldOf(delivery, "id")} to ${fieldOf(delivery, "destination")}`, style: "strong" as const },
    ": ",
    { text: state, style: styleOf(state) },
  ];
  return [
    title,
    ...sentencesOf(explanation).map((sentence) => `  ${sentence}`),
    ...lapsesLine(fieldOf(explanation, "lapses")),
    ...instantLine("next attempt", fieldOf(explanation, "nextAttemptAt"), now),
    ...instantLine("window ends", fieldOf(explanation, "windowEndsAt"), now),
  ];
}

/** The number of times that it may have been sent without a record of it; no line if there is no sign of that. */
function lapsesLine(lapses: string): readonly Line[] {
  return lapses === "-" ? [] : [`  ${lapses}`];
}

/** The reasons in words. */
export function sentencesOf({ sentences }: JsonObject): readonly string[] {
  return Array.isArray(sentences) ? sentences.filter((sentence) => typeof sentence === "string") : [];
}

function instantLine(name: string, instant: string, now: EpochMs): readonly Line[] {
  const at = parseTimestamp(instant);
  if (at === undefined) return [];
  const when = at > now ? `in ${formatDuration(at - now)}` : "now";
  return [[{ text: `  ${name.padEnd(NAME_LENGTH - 2)}`, style: "quiet" }, `${instant} (${when})`]];
}
