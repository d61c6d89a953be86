// Asks a server for deliveries page by page, newest first, until enough are found. Knows nothing of how they are shown.

import type { JsonObject } from "@postrider/core";
import { type ApiAccess, readFromApi } from "../requests/ask-api.js";
import type { Host } from "../host.js";
import { fieldOf, objectsIn } from "./delivery-json.js";

/** Which deliveries; each field is a filter of `GET /api/deliveries`, except `since` and `limit`. */
export interface DeliveryFilters {
  readonly state?: string;
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

function pathOf(
  { state, destination, source, type, messageId }: DeliveryFilters,
  after: string | undefined,
  limit: number,
): string {
  const given = Object.entries({ state, destination, source, type, messageId, after, limit: String(limit) });
  const query = new URLSearchParams(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])),
  );
  return `/api/deliveries?${query.toString()}`;
}

/** Instants of the API are texts of one form, whose order is that of time. */
function isSince(delivery: JsonObject, since: string | undefined): boolean {
  return since === undefined || fieldOf(delivery, "acceptedAt") >= since;
}
