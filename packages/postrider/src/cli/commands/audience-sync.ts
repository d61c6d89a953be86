// postrider audience sync: uploads the members of an audience, from a file or standard input, and waits until the sync has
// ended. Once the members are stored, the server finishes the sync whether or not the command waits.

import { defined } from "@postrider/core/engine";
import { type Command, InvalidArgumentError, Option } from "commander";
import { constants, createReadStream } from "node:fs";
import { access, stat } from "node:fs/promises";
import { expectedFile } from "../../config/read-text-file.js";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { expectApiAnswer, type ApiAccess, type SendResult, bearerHeader } from "../requests/ask-api.js";
import { parseObject } from "../parse-object.js";
import type { ExitCode, Host } from "../host.js";
import { countOf, formatCount } from "../format-count.js";
import { countLines, createLineCount, type LineCount, awaitSync, upload } from "../audiences/sync.js";
import { createProgressDisplay, type ProgressDisplay, repeatEvery } from "../progress-display.js";

interface SyncOptions extends ApiAccess {
  readonly format?: "ndjson" | "csv";
  /** False with --no-header: the file is a CSV without a header. */
  readonly header: boolean;
  readonly wait: boolean;
  readonly yes?: boolean;
  readonly confirmRemove?: number;
}

/** The time between two updates of the progress. */
const SHOW_EVERY_MS = 250;

const EXAMPLES = `
The file has all members of the audience, in any order: users who are not in it leave the audience. Each line is a JSON
text, "u1" or {"userId":"u1"} or {"userId":"u1","value":3}, or a record of CSV, whose header names the column user_id
and, for a computed trait, value. A file with a bad line changes nothing. An audience without members is a CSV that has
only a header.

Examples:
  $ postrider audience sync big_spenders members.csv
  $ export-members | postrider audience sync big_spenders - --no-wait`;

/** Adds the command; `end` gets its exit code. */
export function addAudienceSync(audience: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(audience.command("sync"))
    .description("Upload the members of an audience, and send what has changed to its destinations.")
    .argument("<key>", "the key of the audience")
    .argument("<file>", "the members; - for standard input")
    .addOption(new Option("--format <format>", "csv for a .csv file, else ndjson").choices(["ndjson", "csv"]))
    .option("--no-header", "the list is CSV without a header: the first column is the user id")
    .option("--no-wait", "end as soon as the members are stored")
    .option("--yes", "remove as many members as the file says, even more than half of them")
    .option(
      "--confirm-remove <count>",
      "the same if exactly this number would leave; works with standard input too",
      parseMemberCount,
    )
    .addHelpText("after", EXAMPLES)
    .action(async (key: string, file: string, rawOptions: RawOptions<SyncOptions>, command: Command) => {
      const options = { ...rawOptions, ...readAccess(host, command, rawOptions) };
      end(await sync(host, { key, file, options }));
    });
}

interface SyncRequest {
  readonly key: string;
  readonly file: string;
  readonly options: SyncOptions;
}

interface Source {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Undefined on standard input. */
  readonly size: number | undefined;
}

async function sync(host: Host, request: SyncRequest): Promise<ExitCode> {
  const { key, file, options } = request;
  const source = await open(host, file);
  if (typeof source === "string") {
    host.err(`postrider: cannot read ${file}: expected ${source}`);
    return 1;
  }
  const display = createProgressDisplay(host);
  const startedAt = host.clock.monotonic();
  const result = await sendConfirmed(host, request, { source, display });
  display.clear();
  const answer = expectApiAnswer(host, result, 202);
  if (answer === undefined) return 1;
  const tookMs = host.clock.monotonic() - startedAt;
  host.out(`${key}: ${speedInWords(Number(answer["members"]), tookMs)}`);
  if (!options.wait) return 0;
  return awaitSync({ host, access: options, key, sync: Number(answer["sync"]), display });
}

/** Sends the members. With --yes, a file is sent again with the number of members that the server asked to confirm. */
async function sendConfirmed(host: Host, request: SyncRequest, input: SyncInput): Promise<SendResult> {
  const result = await send(host, request, input);
  const removed = wouldRemove(result);
  if (removed === undefined) return result;
  const secondSource =
    request.options.yes === true && request.file !== "-" ? await open(host, request.file) : undefined;
  if (secondSource === undefined || typeof secondSource === "string") {
    host.err(
      `postrider: ${countOf(removed, "member")} would leave; if that is right, add ${confirmOption(request.file, removed)}`,
    );
    return result;
  }
  const confirmedRequest = { ...request, options: { ...request.options, confirmRemove: removed } };
  return send(host, confirmedRequest, { ...input, source: secondSource });
}

function confirmOption(file: string, removed: number): string {
  return file === "-" ? `--confirm-remove ${String(removed)}` : "--yes";
}

/** The number of members that would leave; undefined if the server did not ask to confirm that. */
function wouldRemove(result: SendResult): number | undefined {
  if (result.kind !== "answered" || result.status !== 409) return undefined;
  const departed = parseObject(result.text)?.["departed"];
  return typeof departed === "number" ? departed : undefined;
}

function parseMemberCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("expected a number of members");
  return Number(text);
}

/** Opens the file. If it cannot be read, returns a text that says what was expected of it. */
async function open(host: Host, file: string): Promise<Source | string> {
  if (file === "-") return { bytes: host.input(), size: undefined };
  try {
    await access(file, constants.R_OK);
    const stats = await stat(file);
    if (stats.isFile()) return { bytes: createReadStream(file), size: stats.size };
    return stats.isDirectory() ? "a file, not a folder" : "a file, or - for standard input";
  } catch (error) {
    return expectedFile(error);
  }
}

interface SyncInput {
  readonly source: Source;
  readonly display: ProgressDisplay;
}

function send(host: Host, { key, file, options }: SyncRequest, { source, display }: SyncInput): Promise<SendResult> {
  const count = createLineCount();
  const stop = repeatEvery(host.clock, SHOW_EVERY_MS, () => display.show(progressOf(count, source.size)));
  return upload({
    url: `${options.url}/api/audiences/${encodeURIComponent(key)}/sync`,
    authorization: bearerHeader(options.token),
    contentType: contentTypeOf(file, options),
    ...defined({ confirmRemove: options.confirmRemove }),
    body: countLines(source.bytes, count),
  }).finally(stop);
}

function contentTypeOf(file: string, { format, header }: SyncOptions): string {
  const isCsv = format === undefined ? !header || /\.csv$/i.test(file) : format === "csv";
  if (!isCsv) return "application/x-ndjson";
  return header ? "text/csv" : "text/csv; header=absent";
}

function progressOf(
  { lines, bytes, isDone }: LineCount,
  size: number | undefined,
): Parameters<ProgressDisplay["show"]>[0] {
  if (isDone) return { doing: "waiting until the server has sorted these lines:", done: lines };
  const note = countOf(lines, "line");
  return size === undefined
    ? { doing: "sending bytes", done: bytes, note }
    : { doing: "sending bytes", done: bytes, total: size, note };
}

function speedInWords(members: number, tookMs: number): string {
  const seconds = Math.max(tookMs / 1_000, 0.001);
  return `${countOf(members, "member is", "members are")} stored after ${seconds.toFixed(1)} s, ${formatCount(members / seconds)} a second`;
}
