// postrider audience sync: brings a file of members to a server, or what comes on standard input, and waits until all that
// has changed is on its way. From the moment that the members are safe the server goes on alone, whoever waits for it.

import { type Command, InvalidArgumentError, Option } from "commander";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { answerOf, type ApiAccess } from "../requests/ask-api.js";
import type { ExitCode, Host } from "../host.js";
import { serverOption, tokenOption } from "../options.js";
import { parseObject } from "../parse-object.js";
import type { Posted } from "../requests/post-json.js";
import { inDigits } from "../in-digits.js";
import { countLines, createTally, type Tally } from "../audiences/count-lines.js";
import { createShowProgress, type ShowProgress } from "../show-progress.js";
import { awaitSync } from "../audiences/await-sync.js";
import { upload } from "../requests/upload.js";

interface SyncOptions extends ApiAccess {
  readonly format?: "ndjson" | "csv";
  /** False with --no-header: a CSV without one. */
  readonly header: boolean;
  readonly wait: boolean;
  readonly yes?: boolean;
  readonly confirmRemove?: number;
}

/** How often a terminal hears how far it is. */
const SHOW_EVERY_MS = 250;

const EXAMPLES = `
Members are all that there are, in any order: who is not among them has left. A line is a JSON text, "u1" or
{"userId":"u1"} or {"userId":"u1","value":3}, or a record of CSV, whose header names the column user_id and, for a
computed trait, value. A list that is anything else changes nothing. No members at all: a CSV of nothing but its header.

Examples:
  $ postrider audience sync --url http://127.0.0.1:8080 --token t0ken big_spenders members.csv
  $ export-members | postrider audience sync --url http://127.0.0.1:8080 --token t0ken big_spenders - --no-wait`;

/** Adds the command; `end` is told how it went. */
export function addAudienceSync(audience: Command, host: Host, end: (code: ExitCode) => void): void {
  audience
    .command("sync")
    .description("Bring the members of an audience, and tell its destinations what has changed.")
    .argument("<key>", "the key of the audience")
    .argument("<file>", "the members; - for standard input")
    .requiredOption("--url <url>", "the server", serverOption)
    .addOption(tokenOption(host).makeOptionMandatory())
    .addOption(new Option("--format <format>", "csv for a .csv file, else ndjson").choices(["ndjson", "csv"]))
    .option("--no-header", "the list is CSV without a header: the first column is the user id")
    .option("--no-wait", "end as soon as the members are safe")
    .option("--yes", "take out as many members as the file says, also more than half of them")
    .option(
      "--confirm-remove <count>",
      "the same where exactly so many would leave; on standard input too",
      countOption,
    )
    .addHelpText("after", EXAMPLES)
    .action(async (key: string, file: string, options: SyncOptions) => end(await sync(host, { key, file, options })));
}

interface Asked {
  readonly key: string;
  readonly file: string;
  readonly options: SyncOptions;
}

interface Source {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Undefined on standard input. */
  readonly size: number | undefined;
}

async function sync(host: Host, asked: Asked): Promise<ExitCode> {
  const { key, file, options } = asked;
  const source = await open(host, file);
  if (source === undefined) {
    host.err(`postrider: cannot read ${file}`);
    return 1;
  }
  const show = createShowProgress(host);
  const startedAt = host.clock.monotonic();
  const posted = await sendConfirmed(host, asked, { source, show });
  show.clear();
  const answer = answerOf(host, posted, 202);
  if (answer === undefined) return 1;
  const tookMs = host.clock.monotonic() - startedAt;
  host.out(`${key}: ${inSpeed(Number(answer["members"]), tookMs)}`);
  if (!options.wait) return 0;
  return awaitSync({ host, access: options, key, sync: Number(answer["sync"]), show });
}

/** With --yes a file is sent once more, with the number that the server has asked to be confirmed. */
async function sendConfirmed(host: Host, asked: Asked, sending: Sending): Promise<Posted> {
  const posted = await send(host, asked, sending);
  const removed = wouldRemove(posted);
  if (removed === undefined) return posted;
  const again = asked.options.yes === true && asked.file !== "-" ? await open(host, asked.file) : undefined;
  if (again === undefined) {
    host.err(`postrider: if ${inDigits(removed)} members shall leave, add ${askFor(asked.file, removed)}`);
    return posted;
  }
  const confirmed = { ...asked, options: { ...asked.options, confirmRemove: removed } };
  return send(host, confirmed, { ...sending, source: again });
}

function askFor(file: string, removed: number): string {
  return file === "-" ? `--confirm-remove ${String(removed)}` : "--yes";
}

/** How many members would leave, where the server has asked for that to be confirmed. */
function wouldRemove(posted: Posted): number | undefined {
  if (posted.kind !== "answered" || posted.status !== 409) return undefined;
  const departed = parseObject(posted.text)?.["departed"];
  return typeof departed === "number" ? departed : undefined;
}

function countOption(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("expected a number of members");
  return Number(text);
}

async function open(host: Host, file: string): Promise<Source | undefined> {
  if (file === "-") return { bytes: host.input(), size: undefined };
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true ? { bytes: createReadStream(file), size: found.size } : undefined;
}

interface Sending {
  readonly source: Source;
  readonly show: ShowProgress;
}

function send(host: Host, { key, file, options }: Asked, { source, show }: Sending): ReturnType<typeof upload> {
  const tally = createTally();
  const stop = every(host, SHOW_EVERY_MS, () => show.show(progressOf(tally, source.size)));
  return upload({
    url: `${options.url}/api/audiences/${encodeURIComponent(key)}/sync`,
    authorization: `Bearer ${options.token}`,
    contentType: contentTypeOf(file, options),
    ...(options.confirmRemove === undefined ? {} : { confirmRemove: options.confirmRemove }),
    body: countLines(source.bytes, tally),
  }).finally(stop);
}

function contentTypeOf(file: string, { format, header }: SyncOptions): string {
  const isCsv = format === undefined ? !header || /\.csv$/i.test(file) : format === "csv";
  if (!isCsv) return "application/x-ndjson";
  return header ? "text/csv" : "text/csv; header=absent";
}

function progressOf({ lines, bytes, isDone }: Tally, size: number | undefined): Parameters<ShowProgress["show"]>[0] {
  if (isDone) return { doing: "waiting until these lines are in order:", done: lines };
  const note = `${inDigits(lines)} lines`;
  return size === undefined
    ? { doing: "sending bytes", done: bytes, note }
    : { doing: "sending bytes", done: bytes, total: size, note };
}

function every({ clock }: Host, everyMs: number, work: () => void): () => void {
  let cancel = clock.after(everyMs, turn);
  function turn(): void {
    work();
    cancel = clock.after(everyMs, turn);
  }
  return () => cancel();
}

function inSpeed(members: number, tookMs: number): string {
  const seconds = Math.max(tookMs / 1_000, 0.001);
  return `${inDigits(members)} members are safe after ${seconds.toFixed(1)} s, ${inDigits(members / seconds)} a second`;
}
