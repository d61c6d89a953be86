// Asks a server for its latest calls: those that a command lists, or all that the server remembers.

import type { JsonObject } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { objectsIn } from "../deliveries/delivery-json.js";
import type { AskApi } from "../doctor/find-failures.js";
import { objectOfAnswer } from "../doctor/finding.js";
import type { Host } from "../host.js";
import { type ApiAccess, readFromApi } from "../requests/ask-api.js";

/** The most calls that are asked for: all that a server remembers. */
const MAX_REMEMBERED = "1000";

/** The filter of a list of calls; each field is a filter of `GET /api/calls`. */
interface CallFilters {
  readonly source?: string;
  readonly outcome?: string;
  readonly messageId?: string;
  /** Only calls with a higher number. */
  readonly after?: number;
  readonly limit: number;
}

interface CallList {
  /** Oldest first. */
  readonly calls: readonly JsonObject[];
  /** The number of the latest call of all. */
  readonly latest: number;
  /** The number of further calls that the server has forgotten already. */
  readonly missed: number;
}

/** Undefined if the answer is missing or unexpected: the reason is printed. */
export async function listCalls(host: Host, access: ApiAccess, filters: CallFilters): Promise<CallList | undefined> {
  const { source, outcome, messageId, after, limit } = filters;
  const parameters = Object.entries(defined({ source, outcome, messageId, after, limit }));
  const query = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, String(value)]));
  const answer = await readFromApi(host, access, `/api/calls?${query.toString()}`);
  if (answer === undefined) return undefined;
  const { latest, missed } = answer;
  return {
    calls: objectsIn(answer, "calls").toReversed(),
    latest: typeof latest === "number" ? latest : 0,
    missed: typeof missed === "number" && after !== undefined ? missed : 0,
  };
}

/** The calls, newest first; undefined if the server has no such path, which an older one lacks. Prints nothing. */
export async function askLatestCalls(
  get: AskApi,
  filters: Pick<CallFilters, "messageId"> = {},
): Promise<readonly JsonObject[] | undefined> {
  const query = new URLSearchParams({ ...filters, limit: MAX_REMEMBERED });
  const page = objectOfAnswer(await get(`calls?${query.toString()}`));
  return page !== undefined && Array.isArray(page["calls"]) ? objectsIn(page, "calls") : undefined;
}
