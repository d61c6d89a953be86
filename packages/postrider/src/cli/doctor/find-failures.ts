// Asks a server for the newest deliveries of destinations, and finds the receivers that fail now, or failed when they last got
// a message: since when, and with which answers.

import type { EpochMs, JsonObject } from "@postrider/core";
import { FORBIDDEN_ADDRESS, formatDuration, HOUR_MS, parseTimestamp } from "@postrider/core/engine";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import type { SendResult } from "../requests/ask-api.js";
import type { ConnectedSource } from "./diagnose-sources.js";
import { badFinding, type Finding, objectOfAnswer, openFinding, textOr } from "./finding.js";

/** Asks for a path under `/api/`. */
export type AskApi = (path: string) => Promise<SendResult>;

/** The most destinations that are looked at. */
const MAX_DESTINATIONS = 100;

/** Deliveries in a page, and the most pages for a destination: a receiver that fails has a queue of deliveries that are not tried yet. */
const PAGE = 500;

const MAX_PAGES = 10;

/** The most answers that a finding quotes: the last ones. */
const MAX_ANSWERS_QUOTED = 3;

/** A failure that is older than this does not show that the receiver fails now. */
const LONG_AGO_MS = HOUR_MS;

/** The reasons that a receiver causes. Other reasons are acts of operators and limits of this server. */
const REASONS_OF_RECEIVERS: readonly unknown[] = ["refused", "expired"];

/** A finding for each destination that fails or failed last. One that is off or paused is reported elsewhere. */
export async function findFailures(
  ask: AskApi,
  sources: readonly ConnectedSource[],
  now: EpochMs,
): Promise<readonly Finding[]> {
  const active = sources
    .flatMap(({ destinations }) => destinations)
    .filter(({ enabled, paused }) => enabled !== false && paused !== true);
  const names = [...new Set(active.map(({ destination }) => textOr(destination, "")))].filter((name) => name !== "");
  const findings: Finding[] = [];
  for (const name of names.slice(0, MAX_DESTINATIONS)) findings.push(...(await findFailure(ask, name, now)));
  return findings;
}

async function findFailure(ask: AskApi, name: string, now: EpochMs): Promise<readonly Finding[]> {
  const failures = failuresIn(await newestTriedPage(ask, name));
  const [newest, oldest] = [failures[0], failures.at(-1)];
  if (newest === undefined || oldest === undefined) return [];
  const readWhole = async (row: JsonObject): Promise<JsonObject> =>
    objectOfAnswer(await ask(`deliveries/${encodeURIComponent(fieldOf(row, "id"))}`)) ?? row;
  const isTriedAgain = failures.some(({ state }) => state !== "dead");
  return [
    diagnoseDestination(name, { newest: await readWhole(newest), oldest: await readWhole(oldest), isTriedAgain }, now),
  ];
}

/** The newest page that has a delivery which was tried. */
async function newestTriedPage(ask: AskApi, destination: string): Promise<readonly JsonObject[]> {
  let after: unknown;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const cursor = typeof after === "string" ? { after } : {};
    const query = new URLSearchParams({ destination, limit: String(PAGE), ...cursor });
    const page = objectOfAnswer(await ask(`deliveries?${query.toString()}`));
    const rows = page === undefined ? [] : objectsIn(page, "deliveries");
    if (rows.some(({ detail }) => detail !== null)) return rows;
    after = page?.["next"];
    if (typeof after !== "string") return [];
  }
  return [];
}

/**
 * The deliveries that were tried and failed since the last one that arrived. Takes deliveries as a list of the API has them,
 * newest first, and returns them in this order.
 */
export function failuresIn(rows: readonly JsonObject[]): readonly JsonObject[] {
  const triedRows = rows.filter(({ detail }) => detail !== null);
  const arrivedIndex = triedRows.findIndex(({ state }) => state === "delivered");
  const newer = arrivedIndex === -1 ? triedRows : triedRows.slice(0, arrivedIndex);
  return newer.filter(({ state, reason }) => state !== "dead" || REASONS_OF_RECEIVERS.includes(reason));
}

/** The newest and the oldest of these deliveries, with their attempts. */
interface Failures {
  readonly newest: JsonObject;
  readonly oldest: JsonObject;
  /** True if any of them waits for a further attempt. */
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
    .toSorted((first, second) => (fieldOf(first, "startedAt") < fieldOf(second, "startedAt") ? -1 : 1));
  const answers = attempts.length > 0 ? attempts.slice(-MAX_ANSWERS_QUOTED).map(answerOf) : [fieldOf(newest, "detail")];
  const answersAre = answers.length === 1 ? "answer is" : "answers are";
  const advice = answers.includes(FORBIDDEN_ADDRESS) ? ", and network.allow can allow its range" : "";
  const details = `its last ${answersAre} ${answers.join(", ")}${advice}; see postrider show ${fieldOf(newest, "id")}`;
  const lastedMs = sinceMs(attempts.at(-1), newest, now);
  if (!isTriedAgain && lastedMs !== undefined && lastedMs > LONG_AGO_MS)
    return openFinding(
      `${name} failed ${formatDuration(lastedMs)} ago, and got nothing since: ${details}; postrider test ${name} tells whether it works now`,
    );
  const failedMs = sinceMs(attempts[0], oldest, now);
  return badFinding(
    `${name} has failed${failedMs === undefined ? "" : ` for ${formatDuration(failedMs)}`}: ${details}`,
  );
}

/** The time since an attempt, or since the acceptance of its delivery if no attempt is recorded. */
function sinceMs(attempt: JsonObject | undefined, delivery: JsonObject, now: EpochMs): number | undefined {
  const at = parseTimestamp(attempt === undefined ? fieldOf(delivery, "acceptedAt") : fieldOf(attempt, "startedAt"));
  return at === undefined ? undefined : Math.max(0, now - at);
}

/** A status, or the fault of an attempt without an answer. */
function answerOf(attempt: JsonObject): string {
  return attempt["status"] === null ? fieldOf(attempt, "fault") : fieldOf(attempt, "status");
}
