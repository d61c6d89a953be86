// Requests deletions or suppressions of users, in as many requests as needed, and waits for them if asked to.

import type { JsonObject, Regulation } from "@postrider/core";
import { defined, pauseFor } from "@postrider/core/engine";
import { expectApiAnswer, type ApiAccess, askApi, readFromApi } from "../requests/ask-api.js";
import { tellUnknownNames } from "../requests/tell-unknown-names.js";
import type { ExitCode, Host } from "../host.js";
import { counted } from "../format-count.js";
import { splitIntoRequests } from "./read-user-ids.js";
import { createProgressDisplay, type ProgressDisplay } from "../progress-display.js";

export interface UsersRequest {
  readonly access: ApiAccess;
  readonly userIds: readonly string[];
  readonly regulation: Regulation;
  /** All sources if absent. */
  readonly sources?: readonly string[];
  /** Whether to wait until all requests are done here; their notices may still wait for receivers then. */
  readonly waits: boolean;
}

const ASK_EVERY_MS = 500;

/** Sends the requests, and prints one line for each. Requests that were answered before a failure stay in force. */
export async function requestDeletions(host: Host, request: UsersRequest): Promise<ExitCode> {
  const ids: string[] = [];
  for (const userIds of splitIntoRequests(request.userIds)) {
    const id = await requestOne(host, request, userIds);
    if (id === undefined) {
      await tellUnknownNames(host, request.access, defined({ sources: request.sources }));
      return 1;
    }
    ids.push(id);
  }
  return request.waits ? awaitAll(host, request.access, ids) : 0;
}

async function requestOne(
  host: Host,
  { access, regulation, sources }: UsersRequest,
  userIds: readonly string[],
): Promise<string | undefined> {
  const posted = await askApi(host, access, { path: "/api/deletions", body: { userIds, regulation, sources } });
  const answer = expectApiAnswer(host, posted, 202);
  if (answer === undefined) return undefined;
  const id = String(answer["id"]);
  host.out(`${regulation} of ${counted(userIds.length, "user")} is in force: ${id}`);
  return id;
}

async function awaitAll(host: Host, access: ApiAccess, ids: readonly string[]): Promise<ExitCode> {
  const show = createProgressDisplay(host);
  for (const id of ids) {
    const record = await awaitOne(host, { access, id, show });
    show.clear();
    if (record === undefined) return 1;
    host.out(inWords(record));
  }
  return 0;
}

interface DeletionWait {
  readonly access: ApiAccess;
  readonly id: string;
  readonly show: ProgressDisplay;
}

/**
 * Waits for one request. Undefined if an answer is missing or unexpected: the reason is printed; the server continues.
 */
async function awaitOne(host: Host, { access, id, show }: DeletionWait): Promise<JsonObject | undefined> {
  for (;;) {
    const record = await readFromApi(host, access, `/api/deletions/${encodeURIComponent(id)}`);
    if (record === undefined || record["finishedAt"] !== null) return record;
    show.show({ doing: String(record["state"]), done: Number(record["notified"]), total: Number(record["users"]) });
    await pauseFor(host.clock, ASK_EVERY_MS);
  }
}

/** How a request ends that is done here. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["delivering", "done here, and waits for receivers"],
  ["undelivered", "done here, and not all receivers took it"],
  ["finished", "finished"],
]);

function inWords({ id, state, users, purged, notices }: JsonObject): string {
  const told = (notices as readonly JsonObject[]).map(
    ({ source, stored, open, dead }) =>
      `${counted(stored, "notice")} from ${String(source)}${open === 0 ? "" : ` (${String(open)} waiting)`}${dead === 0 ? "" : ` (${String(dead)} dead)`}`,
  );
  const parts = [counted(users, "user"), `${counted(purged, "delivery", "deliveries")} without a body`, ...told];
  return `${String(id)} is ${WORDS.get(String(state)) ?? "done here"}: ${parts.join(", ")}`;
}
