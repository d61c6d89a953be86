// Asks a server for the newest deliveries of destinations, and finds the receivers that fail now. What counts as a failure is
// decided in diagnose-destination.ts.

import type { EpochMs, JsonObject } from "@postrider/core";
import type { SendResult } from "../requests/send-json.js";
import type { ConnectedSource } from "./diagnose-sources.js";
import { diagnoseDestination, failuresIn } from "./diagnose-destination.js";
import { type Finding, objectOfAnswer, textOr } from "./finding.js";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";

/** Asks for a path under `/api/`. */
export type AskApi = (path: string) => Promise<SendResult>;

/** The most destinations that are looked at. */
const MAX_DESTINATIONS = 100;
/** Deliveries in a page, and the most pages for a destination: a receiver that fails has a queue of deliveries that are not tried yet. */
const PAGE = 500;
const MAX_PAGES = 10;

/** A finding for each destination that fails or failed last, and none for the others. One that is off or paused is told elsewhere. */
export async function findFailures(
  ask: AskApi,
  sources: readonly ConnectedSource[],
  now: EpochMs,
): Promise<readonly Finding[]> {
  const active = sources
    .flatMap(({ destinations }) => destinations)
    .filter(({ enabled, paused }) => enabled !== false && paused !== true);
  const names = [...new Set(active.map(({ destination }) => textOr(destination, "")))].filter((name) => name !== "");
  const found: Finding[] = [];
  for (const name of names.slice(0, MAX_DESTINATIONS)) found.push(...(await findFailure(ask, name, now)));
  return found;
}

async function findFailure(ask: AskApi, name: string, now: EpochMs): Promise<readonly Finding[]> {
  const failures = failuresIn(await newestTried(ask, name));
  const [newest, oldest] = [failures[0], failures.at(-1)];
  if (newest === undefined || oldest === undefined) return [];
  const whole = async (row: JsonObject): Promise<JsonObject> =>
    objectOfAnswer(await ask(`deliveries/${encodeURIComponent(fieldOf(row, "id"))}`)) ?? row;
  const isTriedAgain = failures.some(({ state }) => state !== "dead");
  return [diagnoseDestination(name, { newest: await whole(newest), oldest: await whole(oldest), isTriedAgain }, now)];
}

/** The newest page that has a delivery which was tried. */
async function newestTried(ask: AskApi, destination: string): Promise<readonly JsonObject[]> {
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
