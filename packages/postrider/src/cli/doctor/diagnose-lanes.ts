// Derives findings from the lanes of a server: a destination that is held, blocked or paused by an operator, whose endpoints asked
// for a pause, or whose rate limit is reached. What the settings say of a destination is told elsewhere. Sends no requests.

import type { EpochMs, JsonObject } from "@postrider/core";
import { isPlainObject, parseTimestamp } from "@postrider/core/engine";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { counted } from "../format-count.js";
import type { SendResult } from "../requests/send-json.js";
import { formatDuration } from "../simulate/format-duration.js";
import { badFinding, type Finding, objectOfAnswer, openFinding } from "./finding.js";

/** The findings about the lanes of `names`, and about those that the settings do not have; all lanes if undefined. */
export function diagnoseLanes(
  answer: SendResult,
  names: ReadonlySet<string> | undefined,
  now: EpochMs,
): readonly Finding[] {
  const lanes = objectsIn(objectOfAnswer(answer) ?? {}, "lanes");
  return lanes
    .filter((lane) => lane["mode"] === "gone" || names === undefined || names.has(fieldOf(lane, "destination")))
    .flatMap((lane) => diagnoseLane(lane, now));
}

function diagnoseLane(lane: JsonObject, now: EpochMs): readonly Finding[] {
  const { pausedBy, backoff } = lane;
  const name = fieldOf(lane, "destination");
  const waits = counted(Number(lane["deliveries"] ?? 0), "delivery waits", "deliveries wait");
  const isPaused = Array.isArray(pausedBy) && pausedBy.includes("operator");
  return [
    ...(lane["mode"] === "gone" ? [badFinding(`${name} is not in the settings any more, and ${waits} for it`)] : []),
    ...(isPaused ? [openFinding(`${name} is paused by an operator, ${waits}: end it by postrider resume`)] : []),
    ...(isPlainObject(backoff) ? [diagnoseBackoff(name, backoff, now)] : []),
    ...objectsIn(lane, "endpointHolds").map((hold) => diagnoseHold(name, hold, now)),
    ...diagnoseRate(lane, now),
  ];
}

function diagnoseBackoff(name: string, backoff: JsonObject, now: EpochMs): Finding {
  const next = `the next probe is ${untilInstant(fieldOf(backoff, "nextProbeAt"), now)}`;
  if (backoff["kind"] === "blocked")
    return badFinding(
      `${name} is blocked: our own address policy refuses every endpoint of it; ${next}. Allow the range in network.allow, or change the URL`,
    );
  const detail = backoff["detail"] === null ? "" : `, the last with ${fieldOf(backoff, "detail")}`;
  return badFinding(`${name} is held: nearly all attempts failed${detail}, so that only probes are sent; ${next}`);
}

function diagnoseHold(name: string, hold: JsonObject, now: EpochMs): Finding {
  const end = untilInstant(fieldOf(hold, "until"), now);
  return openFinding(`${fieldOf(hold, "endpoint")} of ${name} asked by Retry-After for a pause, which ends ${end}`);
}

function diagnoseRate(lane: JsonObject, now: EpochMs): readonly Finding[] {
  const { rate, deliveries } = lane;
  const nextAt = isPlainObject(rate) ? parseTimestamp(fieldOf(rate, "nextAt")) : undefined;
  if (!isPlainObject(rate) || nextAt === undefined || nextAt <= now || Number(deliveries ?? 0) === 0) return [];
  const text = `${fieldOf(lane, "destination")} is at its rate limit of ${fieldOf(rate, "perSecond")} a second`;
  return [openFinding(`${text}: the next may start ${untilInstant(fieldOf(rate, "nextAt"), now)}`)];
}

function untilInstant(text: string, now: EpochMs): string {
  const at = parseTimestamp(text);
  return at !== undefined && at > now ? `in ${formatDuration(at - now)}` : "now";
}
