// The commands that request something of users: `delete-user`, `suppress` and `unsuppress`. Their ids come from the command line or
// a file, and are sent in as many requests as the limits of the API need.

import { type JsonObject, MAX_DELETION_USERS, type Regulation } from "@postrider/core";
import { defined, pauseFor } from "@postrider/core/engine";
import { type Command, Option } from "commander";
import { readFile } from "node:fs/promises";
import { expectedFile } from "../../config/read-text-file.js";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { countOf } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { appendValue } from "../options.js";
import { createProgressDisplay, type ProgressDisplay } from "../progress-display.js";
import { type ApiAccess, askApi, expectApiAnswer, readFromApi } from "../requests/ask-api.js";
import { tellUnknownNames } from "../requests/tell-unknown-names.js";

const DELETE_EXAMPLES = `
Examples:
  $ postrider delete-user u1 u2
  $ postrider delete-user --file users.txt --source website --wait
  $ postrider delete-user u1 --regulation suppress-with-delete`;

const ASK_EVERY_MS = 500;

/** The states of a request that is done on this server, in words. */
const STATES: ReadonlyMap<string, string> = new Map([
  ["delivering", "done here, and waits for receivers"],
  ["undelivered", "done here, and not all receivers took it"],
  ["finished", "finished"],
]);

/** The most bytes of JSON that the ids of one request may take. */
const MAX_REQUEST_BYTES = 400_000;

/** The most bytes of JSON between two ids. */
const EXTRA_BYTES = 3;

interface DeleteOptions extends ApiAccess {
  readonly file?: string;
  readonly regulation: "delete-only" | "suppress-with-delete";
  readonly source?: readonly string[];
  readonly wait?: boolean;
}

/** Adds the command; `end` gets its exit code. */
export function addDeleteUser(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("delete-user"))
    .description("Delete users: their stored data is removed, and destinations are told to delete them.")
    .argument("[ids...]", "the users")
    .option("--file <file>", "a file with a user id in each line")
    .addOption(
      new Option("--regulation <kind>", "whether their later calls are blocked")
        .choices(["delete-only", "suppress-with-delete"])
        .default("delete-only"),
    )
    .option("--source <id>", "only data from this source; may be given several times", appendValue)
    .option("--wait", "wait until their data is removed and all notices are stored")
    .addHelpText("after", DELETE_EXAMPLES)
    .action(async (ids: readonly string[], rawOptions: RawOptions<DeleteOptions>, command: Command) => {
      const users = await readUserIds(ids, rawOptions.file);
      if (users.kind === "refused") return command.error(`error: ${users.reason}`);
      const { regulation, source, wait = false } = rawOptions;
      const access = readAccess(host, command, rawOptions);
      const sources = source === undefined ? {} : { sources: source };
      end(await requestDeletions(host, { access, userIds: users.userIds, regulation, ...sources, waits: wait }));
    });
}

interface SuppressOptions extends ApiAccess {
  readonly file?: string;
}

/** Adds the command; `end` gets its exit code. */
export function addSuppress(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addBlocking(program, host, {
    name: "suppress",
    description: "Block users: their calls are no longer stored, and waiting deliveries are not sent.",
    regulation: "suppress-only",
    end,
  });
}

/** Adds the command; `end` gets its exit code. */
export function addUnsuppress(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addBlocking(program, host, {
    name: "unsuppress",
    description: "Accept the calls of blocked users again.",
    regulation: "unsuppress",
    end,
  });
}

interface BlockingCommand {
  readonly name: string;
  readonly description: string;
  readonly regulation: "suppress-only" | "unsuppress";
  readonly end: (code: ExitCode) => void;
}

function addBlocking(program: Command, host: Host, { name, description, regulation, end }: BlockingCommand): void {
  addAccessOptions(program.command(name))
    .description(description)
    .argument("[ids...]", "the users")
    .option("--file <file>", "a file with a user id in each line")
    .addHelpText("after", `\nExample:\n  $ postrider ${name} u1 u2`)
    .action(async (ids: readonly string[], rawOptions: RawOptions<SuppressOptions>, command: Command) => {
      const users = await readUserIds(ids, rawOptions.file);
      if (users.kind === "refused") return command.error(`error: ${users.reason}`);
      const access = readAccess(host, command, rawOptions);
      end(await requestDeletions(host, { access, userIds: users.userIds, regulation, waits: false }));
    });
}

interface UsersRequest {
  readonly access: ApiAccess;
  readonly userIds: readonly string[];
  readonly regulation: Regulation;
  /** All sources if absent. */
  readonly sources?: readonly string[];
  /** True to wait until all requests are done here; their notices may still wait for receivers then. */
  readonly waits: boolean;
}

/** Sends the requests, and prints one line for each. Requests that were answered before a failure stay in force. */
async function requestDeletions(host: Host, request: UsersRequest): Promise<ExitCode> {
  const ids: string[] = [];
  for (const userIds of splitIntoRequests(request.userIds)) {
    const id = await requestDeletion(host, request, userIds);
    if (id === undefined) {
      await tellUnknownNames(host, request.access, defined({ sources: request.sources }));
      return 1;
    }
    ids.push(id);
  }
  return request.waits ? awaitDeletions(host, request.access, ids) : 0;
}

async function requestDeletion(
  host: Host,
  { access, regulation, sources }: UsersRequest,
  userIds: readonly string[],
): Promise<string | undefined> {
  const result = await askApi(host, access, { path: "/api/deletions", body: { userIds, regulation, sources } });
  const answer = expectApiAnswer(host, result, 202);
  if (answer === undefined) return undefined;
  const id = String(answer["id"]);
  host.out(`${regulation} of ${countOf(userIds.length, "user")} is in force: ${id}`);
  return id;
}

async function awaitDeletions(host: Host, access: ApiAccess, ids: readonly string[]): Promise<ExitCode> {
  const display = createProgressDisplay(host);
  for (const id of ids) {
    const record = await awaitDeletion(host, { access, id, display });
    display.clear();
    if (record === undefined) return 1;
    host.out(inWords(record));
  }
  return 0;
}

interface DeletionWait {
  readonly access: ApiAccess;
  readonly id: string;
  readonly display: ProgressDisplay;
}

/**
 * Waits for one request. Undefined if an answer is missing or unexpected: the reason is printed; the server continues.
 */
async function awaitDeletion(host: Host, { access, id, display }: DeletionWait): Promise<JsonObject | undefined> {
  for (;;) {
    const record = await readFromApi(host, access, `/api/deletions/${encodeURIComponent(id)}`);
    if (record === undefined || record["finishedAt"] !== null) return record;
    display.show({ doing: String(record["state"]), done: Number(record["notified"]), total: Number(record["users"]) });
    await pauseFor(host.clock, ASK_EVERY_MS);
  }
}

function inWords({ id, state, users, purged, notices }: JsonObject): string {
  const noticeTexts = (notices as readonly JsonObject[]).map(
    ({ source, stored, open, dead }) =>
      `${countOf(stored, "notice")} from ${String(source)}${open === 0 ? "" : ` (${String(open)} waiting)`}${dead === 0 ? "" : ` (${String(dead)} dead)`}`,
  );
  const parts = [countOf(users, "user"), `${countOf(purged, "delivery", "deliveries")} without a body`, ...noticeTexts];
  return `${String(id)} is ${STATES.get(String(state)) ?? "done here"}: ${parts.join(", ")}`;
}

type ReadUserIdsResult =
  | { readonly kind: "ok"; readonly userIds: readonly string[] }
  /** Both arguments and a file were given, or neither; or the file cannot be read or has no ids. */
  | { readonly kind: "refused"; readonly reason: string };

async function readUserIds(ids: readonly string[], file: string | undefined): Promise<ReadUserIdsResult> {
  if (ids.length > 0 === (file !== undefined)) return { kind: "refused", reason: "give either user ids or --file" };
  if (file === undefined) return { kind: "ok", userIds: ids };
  try {
    const userIds = idsOf(await readFile(file, "utf8"));
    return userIds.length > 0 ? { kind: "ok", userIds } : { kind: "refused", reason: `${file} has no user ids` };
  } catch (error) {
    return { kind: "refused", reason: `cannot read ${file}: expected ${expectedFile(error)}` };
  }
}

function idsOf(text: string): readonly string[] {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "");
}

/** Splits user ids into lists that each fit into one request. */
export function splitIntoRequests(userIds: readonly string[]): readonly (readonly string[])[] {
  const requests: string[][] = [];
  let bytes = 0;
  for (const userId of userIds) {
    const lastRequest = requests.at(-1);
    const size = Buffer.byteLength(JSON.stringify(userId)) + EXTRA_BYTES;
    const isFull =
      lastRequest === undefined || lastRequest.length === MAX_DELETION_USERS || bytes + size > MAX_REQUEST_BYTES;
    bytes = isFull ? size : bytes + size;
    if (isFull) requests.push([userId]);
    else lastRequest.push(userId);
  }
  return requests;
}
