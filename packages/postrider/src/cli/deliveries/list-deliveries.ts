// Lists deliveries of a server: the options that filter them, the pages that are asked for, newest first, until enough are found,
// and their table, in which an id is never cut, since `postrider show` takes it.

import { CALL_KINDS, DEAD_REASONS, FAULTS, type JsonObject } from "@postrider/core";
import { type Command, Option } from "commander";
import type { Host } from "../host.js";
import { parseInstant, parseStatusFilter } from "../options.js";
import { type ApiAccess, readFromApi } from "../requests/ask-api.js";
import type { Line } from "../terminal/line.js";
import { type Cell, tableLines } from "../terminal/table.js";
import { causeOf, fieldOf, objectsIn, styleOf } from "./delivery-json.js";

/** The filter of a list of deliveries; each field is a filter of `GET /api/deliveries`, except `since` and `limit`. */
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

interface DeliveryList {
  /** The cursor after the end of the list. Undefined if nothing is left. */
  readonly next: string | undefined;
}

/** The most deliveries in one page. */
const PAGE = 500;

/** The most pages that are asked for. Each covers 20,000 deliveries if the server has no index for the filter. */
const MAX_LIST_PAGES = 1_000;

const COLUMNS = [
  { heading: "id" },
  { heading: "state" },
  { heading: "cause", isCuttable: true },
  { heading: "tries" },
  { heading: "destination", isCuttable: true },
  { heading: "source", isCuttable: true },
  { heading: "type" },
  { heading: "message id", isCuttable: true },
  { heading: "accepted" },
];

/** Calls `show` with each page that has deliveries. Undefined if an answer is missing or unexpected: the reason is printed. */
export async function listDeliveries(
  host: Host,
  access: ApiAccess,
  filters: DeliveryFilters,
  show: (page: readonly JsonObject[]) => void,
): Promise<DeliveryList | undefined> {
  let next = filters.after;
  let remaining = filters.limit;
  for (let pages = 0; pages < MAX_LIST_PAGES && remaining > 0; pages += 1) {
    const path = pathOf(filters, next, Math.min(PAGE, remaining));
    const answer = await readFromApi(host, access, path);
    if (answer === undefined) return undefined;
    const page = objectsIn(answer, "deliveries");
    const matches = page.filter((delivery) => isSince(delivery, filters.since));
    if (matches.length > 0) show(matches);
    remaining -= matches.length;
    next = typeof answer["next"] === "string" ? answer["next"] : undefined;
    // Newest first: once a whole page is older, the rest is too.
    if (next === undefined || (page.length > 0 && matches.length === 0)) return { next: undefined };
  }
  return { next };
}

function pathOf(filters: DeliveryFilters, after: string | undefined, limit: number): string {
  return `/api/deliveries?${queryOf({ ...filtersOf(filters), after, limit: String(limit) })}`;
}

/** The number of matches, up to the bound of the server. Undefined if the answer is unexpected: the reason is printed. */
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

function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return query.toString();
}

/** Instants of the API are texts of one form, whose order is that of time. */
function isSince(delivery: JsonObject, since: string | undefined): boolean {
  return since === undefined || fieldOf(delivery, "acceptedAt") >= since;
}

/** Adds the options that filter by the end or the last answer of deliveries, and by their source, destination and type. */
export function addKindOptions(command: Command): Command {
  return command
    .addOption(new Option("--reason <reason>", "only those dead for this reason").choices(DEAD_REASONS))
    .option("--status <status>", "only those answered so at last: 503, or 5xx", parseStatusFilter)
    .addOption(new Option("--fault <fault>", "only those that failed so at last").choices(FAULTS))
    .option("--destination <id>", "only those to this destination")
    .option("--source <id>", "only those of this source")
    .addOption(new Option("--type <type>", "only those of this type").choices([...CALL_KINDS, "delete"]));
}

/** Adds the options that filter by the time at which calls were accepted. */
export function addTimeOptions(command: Command): Command {
  return command
    .option("--since <time>", "only those accepted at this time or later", parseInstant)
    .option("--until <time>", "only those accepted before this time", parseInstant);
}

/** `width`: the characters of a line; if absent, nothing is cut. */
export function deliveryTable(deliveries: readonly JsonObject[], width: number | undefined): readonly Line[] {
  return tableLines(COLUMNS, deliveries.map(rowOf), width);
}

function rowOf(delivery: JsonObject): readonly Cell[] {
  const state = fieldOf(delivery, "state");
  return [
    fieldOf(delivery, "id"),
    { text: state, style: styleOf(state) },
    causeOf(delivery),
    fieldOf(delivery, "attemptCount"),
    fieldOf(delivery, "destination"),
    fieldOf(delivery, "source"),
    fieldOf(delivery, "type"),
    fieldOf(delivery, "messageId"),
    secondsOf(fieldOf(delivery, "acceptedAt")),
  ];
}

/** An instant without its milliseconds: `2026-01-31T12:00:00Z`. */
function secondsOf(instant: string): string {
  return instant.replace(/\.\d{3}Z$/, "Z");
}
