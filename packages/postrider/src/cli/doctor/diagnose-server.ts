// Derives findings from what a server uses itself: the store of its config, as `check --deep` finds it; the settings that servers of
// a store share; and its lanes, of which one may be full, held, blocked, paused or at its rate limit. Sends no requests.

import type { EpochMs, JsonObject } from "@postrider/core";
import {
  formatDuration,
  isPlainObject,
  MAX_LANE_BYTES,
  MAX_LANE_DELIVERIES,
  parseTimestamp,
} from "@postrider/core/engine";
import { readConfig } from "../../config/read-config.js";
import type { FindingKind } from "../check/check-finding.js";
import { checkStore } from "../check/check-store.js";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { countOf, formatCount } from "../format-count.js";
import type { Host } from "../host.js";
import type { SendResult } from "../requests/ask-api.js";
import { badFinding, type Finding, objectOfAnswer, okFinding, openFinding } from "./finding.js";

/** A warning or a note about the store stays open: the operator may have meant it. */
const STORE_KINDS: Readonly<Record<FindingKind, Finding["kind"]>> = {
  problem: "bad",
  fault: "bad",
  warning: "open",
  note: "open",
  ok: "ok",
};

/** From this share of its bounds on a lane counts as full: the next call may be the one that finds no room. */
const FULL_SHARE = 0.99;

export async function diagnoseStore(file: string, host: Host): Promise<readonly Finding[]> {
  const outcome = readConfig(file, (name) => host.env(name));
  if (outcome.kind === "refused") return [badFinding(`${file} is refused: postrider check --config ${file} says why`)];
  const findings = await checkStore(outcome.config.server.store, host);
  return findings.map(({ kind, message, change }) => ({
    kind: STORE_KINDS[kind],
    text: `store: ${message}${change === undefined ? "" : `; ${change}`}`,
  }));
}

/** Nothing of settings that a file owns, or that the server does not show. */
export function diagnoseSettings(answer: SendResult): readonly Finding[] {
  const settings = objectOfAnswer(answer);
  if (settings?.["owner"] !== "store") return [];
  const { refused } = settings;
  if (!isPlainObject(refused))
    return [okFinding(`revision ${fieldOf(settings, "inForce")} of the settings is in force`)];
  const [firstProblem, ...others] = objectsIn(refused, "problems");
  const why =
    firstProblem === undefined
      ? ""
      : `: ${fieldOf(firstProblem, "path")}: expected ${fieldOf(firstProblem, "expected")}`;
  const more = others.length === 0 ? "" : `, and ${countOf(others.length, "other problem", "other problems")}`;
  const inForce = `revision ${fieldOf(settings, "inForce")} stays in force`;
  return [
    badFinding(
      `this server cannot use revision ${fieldOf(refused, "revision")} of the settings${why}${more}; ${inForce}`,
    ),
  ];
}

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
  const waits = countOf(Number(lane["deliveries"] ?? 0), "delivery waits", "deliveries wait");
  const isPaused = Array.isArray(pausedBy) && pausedBy.includes("operator");
  return [
    ...(lane["mode"] === "gone" ? [badFinding(`${name} is not in the settings any more, and ${waits} for it`)] : []),
    ...(isFull(lane)
      ? [
          badFinding(
            `${name} is full: ${waits}, and a further one dies at once (lane-full); ${drainInWords(lane, now)}`,
          ),
        ]
      : []),
    ...(isPaused ? [openFinding(`${name} is paused by an operator, ${waits}: end it by postrider resume`)] : []),
    ...(isPlainObject(backoff) ? [diagnoseBackoff(name, backoff, now)] : []),
    ...objectsIn(lane, "endpointHolds").map((hold) => diagnoseHold(name, hold, now)),
    ...diagnoseRate(lane, now),
  ];
}

/** True if the lane has as much as it may, or nearly so. */
function isFull(lane: JsonObject): boolean {
  const has = (name: string, most: number): boolean => Number(lane[name] ?? 0) >= FULL_SHARE * most;
  return has("deliveries", MAX_LANE_DELIVERIES) || has("bytes", MAX_LANE_BYTES);
}

/** The cause that keeps a full lane from draining, in words; `it drains` if there is none. */
function drainInWords(lane: JsonObject, now: EpochMs): string {
  const mode = fieldOf(lane, "mode");
  if (mode !== "open") return `it is ${mode === "gone" ? "not in the settings" : mode}, and does not drain`;
  if (isRateReached(lane, now)) return "it sends as fast as its rate limit allows";
  const limit = Number(lane["limit"] ?? 0);
  return Number(lane["inFlight"] ?? 0) >= limit
    ? `its receiver gets ${formatCount(limit)} at once, and answers too slowly for what comes in`
    : "it drains";
}

function diagnoseBackoff(name: string, backoff: JsonObject, now: EpochMs): Finding {
  const next = `the next probe is ${untilInstant(fieldOf(backoff, "nextProbeAt"), now)}`;
  if (backoff["kind"] === "blocked")
    return badFinding(
      `${name} is blocked: our own address policy refuses every endpoint of it; ${next}. Allow the range in network.allow, or change the URL`,
    );
  const detail = backoff["detail"] === null ? "" : `, the last with ${fieldOf(backoff, "detail")}`;
  const why =
    backoff["kind"] === "refusing" ? "its receiver refuses whatever it gets" : "nearly all recent attempts failed";
  return badFinding(`${name} is held: ${why}${detail}, so that only probes are sent; ${next}`);
}

function diagnoseHold(name: string, hold: JsonObject, now: EpochMs): Finding {
  const end = untilInstant(fieldOf(hold, "until"), now);
  return openFinding(`${fieldOf(hold, "endpoint")} of ${name} asked by Retry-After for a pause, which ends ${end}`);
}

function diagnoseRate(lane: JsonObject, now: EpochMs): readonly Finding[] {
  const { rate, deliveries } = lane;
  if (!isPlainObject(rate) || !isRateReached(lane, now) || Number(deliveries ?? 0) === 0) return [];
  const text = `${fieldOf(lane, "destination")} is at its rate limit of ${fieldOf(rate, "perSecond")} a second`;
  return [openFinding(`${text}: the next may start ${untilInstant(fieldOf(rate, "nextAt"), now)}`)];
}

function isRateReached({ rate }: JsonObject, now: EpochMs): boolean {
  const nextAt = isPlainObject(rate) ? parseTimestamp(fieldOf(rate, "nextAt")) : undefined;
  return nextAt !== undefined && nextAt > now;
}

function untilInstant(text: string, now: EpochMs): string {
  const at = parseTimestamp(text);
  return at !== undefined && at > now ? `in ${formatDuration(at - now)}` : "now";
}
