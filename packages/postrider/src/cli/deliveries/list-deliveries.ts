// Asks a server for deliveries page by page, newest first, until enough are found. Knows nothing of how they are shown.

import type { JsonObject } from "@postrider/core";
import { type ApiAccess, readFromApi } from "../requests/ask-api.js";
import type { Host } from "../host.js";
import { fieldOf, objectsIn } from "./delivery-json.js";

/** Which deliveries; each field is a filter of `GET /api/deliveries`, except `since` and `limit`. */
export interface DeliveryFilters {
  /** One state, or several with commas between them. */
  readonly state?: string;
  readonly reason?: string;
  /** A status such as 503, or a class such as 5xx. */
  readonly status?: string;
  readonly fault?: string;
  readonly user?: string;
  /** Only deliveries accepted before this time. */
  readonly until?: string;
  readonly notReplayed?: true;
  readonly destination?: string;
  readonly source?: string;
  readonly type?: string;
  readonly messageId?: string;
  /** The cursor of an earlier list. */
  readonly after?: string;
  /** Only deliveries accepted at this time or later. */
  readonly since?: string;
  /** The most deliveries. */
  readonly limit: number;
}

export interface DeliveryList {
  /** Where the list ended: the cursor of what was not asked for. Undefined if nothing is left. */
  readonly next: string | undefined;
}

/** The most deliveries in one page. */
const PAGE = 500;
/** The most pages that are asked for. Each covers 20,000 deliveries if the server has no index for the filter. */
export const MAX_LIST_PAGES = 1_000;

/** Calls `show` with each page that has deliveries. Undefined if an answer is missing or unexpected: the reason is printed. */
export async function listDeliveries(
  host: Host,
  access: ApiAccess,
  filters: DeliveryFilters,
  show: (page: readonly JsonObject[]) => void,
): Promise<DeliveryList | undefined> {
  let next = filters.after;
  let left = filters.limit;
  for (let pages = 0; pages < MAX_LIST_PAGES && left > 0; pages += 1) {
    const path = pathOf(filters, next, Math.min(PAGE, left));
    const answer = await readFromApi(host, access, path);
    if (answer === undefined) return undefined;
    const page = objectsIn(answer, "deliveries");
    const wanted = page.filter((delivery) => isSince(delivery, filters.since));
    if (wanted.length > 0) show(wanted);
    left -= wanted.length;
    next = typeof answer["next"] === "string" ? answer["next"] : undefined;
    // Newest first: once a whole page is older, the rest is too.
    if (next === undefined || (page.length > 0 && wanted.length === 0)) return { next: undefined };
  }
  return { next };
}

function pathOf(filters: DeliveryFilters, after: string | undefined, limit: number): string {
  return `/api/deliveries?${queryOf({ ...filtersOf(filters), after, limit: String(limit) })}`;
}

/** How many match, up to the bound of the server. Undefined if the answer is unexpected: the reason is printed. */
export async function countDeliveries(
  host: Host,
  access: ApiAccess,
  filters: DeliveryFilters,
): Promise<JsonObject | undefined> {
  const query = queryOf({ ...filtersOf(filters), since: filters.since });
  return readFromApi(host, access, `/api/deliveries/count?${query}`);
}

function filtersOf(filters: DeliveryFilters): Readonly<Record<string, string | undefined>> {
  const { state, reason, destination, source, type, messageId, user, status, fault, until } = filters;
  const notReplayed = filters.notReplayed === true ? "true" : undefined;
  return { state, reason, destination, source, type, messageId, user, status, fault, until, notReplayed };
}

function queryOf(given: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value);
  return query.toString();
}

/** Instants of the API are texts of one form, whose order is that of time. */
function isSince(delivery: JsonObject, since: string | undefined): boolean {
  return since === undefined || fieldOf(delivery, "acceptedAt") >= since;
}
