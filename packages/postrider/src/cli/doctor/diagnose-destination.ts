// Finds from the newest deliveries of a destination whether its receiver fails now, or did when it got something last, and tells
// since when and with which answers. Sends no requests.

import type { EpochMs, JsonObject } from "@postrider/core";
import { FORBIDDEN_ADDRESS, formatDuration, HOUR_MS, parseTimestamp } from "@postrider/core/engine";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { badFinding, type Finding, openFinding } from "./finding.js";

/** The last answers that are told. */
const ANSWERS_TOLD = 3;
/** From then on a failure does not say that the receiver fails now. */
const LONG_AGO_MS = HOUR_MS;
/** What a receiver causes. Other reasons are acts of operators and limits of this server. */
const REASONS_OF_RECEIVERS: readonly unknown[] = ["refused", "expired"];

/**
 * The deliveries that were tried and failed since the last one that arrived. Takes deliveries as a list of the API has them,
 * newest first, and returns them in this order.
 */
export function failuresIn(rows: readonly JsonObject[]): readonly JsonObject[] {
  const tried = rows.filter(({ detail }) => detail !== null);
  const arrived = tried.findIndex(({ state }) => state === "delivered");
  const since = arrived === -1 ? tried : tried.slice(0, arrived);
  return since.filter(({ state, reason }) => state !== "dead" || REASONS_OF_RECEIVERS.includes(reason));
}

/** The newest and the oldest of these deliveries, with their attempts. */
export interface Failures {
  readonly newest: JsonObject;
  readonly oldest: JsonObject;
  /** Whether any of them waits for a further attempt. */
  readonly isTriedAgain: boolean;
}

/**
 * `crm has failed for 10 min 0 s: its last answers are 503, 503, timeout; see postrider show 9`. Open where the last failure is long
 * ago and nothing will be tried again: whether the receiver works now is not known.
 */
export function diagnoseDestination(name: string, { newest, oldest, isTriedAgain }: Failures, now: EpochMs): Finding {
  const records = newest["id"] === oldest["id"] ? [newest] : [oldest, newest];
  const attempts = records
    .flatMap((record) => objectsIn(record, "attempts"))
    .toSorted((one, other) => (fieldOf(one, "startedAt") < fieldOf(other, "startedAt") ? -1 : 1));
  const answers = attempts.length > 0 ? attempts.slice(-ANSWERS_TOLD).map(answerOf) : [fieldOf(newest, "detail")];
  const are = answers.length === 1 ? "answer is" : "answers are";
  const advice = answers.includes(FORBIDDEN_ADDRESS) ? ", and network.allow can allow its range" : "";
  const told = `its last ${are} ${answers.join(", ")}${advice}; see postrider show ${fieldOf(newest, "id")}`;
  const lastedMs = sinceMs(attempts.at(-1), newest, now);
  if (!isTriedAgain && lastedMs !== undefined && lastedMs > LONG_AGO_MS)
    return openFinding(
      `${name} failed ${formatDuration(lastedMs)} ago, and got nothing since: ${told}; postrider test ${name} tells whether it works now`,
    );
  const failedMs = sinceMs(attempts[0], oldest, now);
  return badFinding(`${name} has failed${failedMs === undefined ? "" : ` for ${formatDuration(failedMs)}`}: ${told}`);
}

/** How long ago an attempt was, or the acceptance of its delivery where none is recorded. */
function sinceMs(attempt: JsonObject | undefined, delivery: JsonObject, now: EpochMs): number | undefined {
  const at = parseTimestamp(attempt === undefined ? fieldOf(delivery, "acceptedAt") : fieldOf(attempt, "startedAt"));
  return at === undefined ? undefined : Math.max(0, now - at);
}

/** A status, or the fault of an attempt without an answer. */
function answerOf(attempt: JsonObject): string {
  return attempt["status"] === null ? fieldOf(attempt, "fault") : fieldOf(attempt, "status");
}
