// Asks a server for all calls that it remembers, for commands that judge them. Prints nothing: an older server has no such path.

import type { JsonObject } from "@postrider/core";
import { objectsIn } from "../deliveries/delivery-json.js";
import type { AskApi } from "../doctor/find-failures.js";
import { objectOfAnswer } from "../doctor/finding.js";
import type { CallFilters } from "./list-calls.js";

/** The most calls that are asked for: all that a server remembers. */
const MAX_REMEMBERED = "1000";

/** Newest first; undefined if the server has none to tell. */
export async function askLatestCalls(
  get: AskApi,
  filters: Pick<CallFilters, "messageId"> = {},
): Promise<readonly JsonObject[] | undefined> {
  const query = new URLSearchParams({ ...filters, limit: MAX_REMEMBERED });
  const page = objectOfAnswer(await get(`calls?${query.toString()}`));
  return page !== undefined && Array.isArray(page["calls"]) ? objectsIn(page, "calls") : undefined;
}
