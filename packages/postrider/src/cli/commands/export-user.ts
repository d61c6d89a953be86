// postrider export-user: writes all that a server holds of a user to standard output or to a new file, as lines of JSON. Reads the
// answer piece by piece, since an export may be larger than the memory.

import type { Cancel } from "@postrider/core";
import type { Command } from "commander";
import { type FileHandle, open, rm } from "node:fs/promises";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { countOf } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { answerInWords, type ApiAccess, bearerHeader } from "../requests/ask-api.js";
import { parseObject } from "../parse-object.js";
import { createProgressDisplay } from "../progress-display.js";
import { faultInWords } from "../requests/fault-in-words.js";

/** The longest silence of the server. */
const SILENCE_MS = 60_000;

interface ExportOptions extends ApiAccess {
  readonly to?: string;
}

const NOTES = `
Each line is one thing that is held: a delivery with its message, a membership in an audience or a value of a computed
trait, a suppression, a request about users that is not finished. With --to, the file can be read only by you, and is left
only if it is whole.

Examples:
  $ postrider export-user u1 --to u1.ndjson
  $ postrider export-user u1 | jq -c 'select(.kind == "delivery") | .delivery.message'`;

/** Adds the command; `end` gets its exit code. */
export function addExportUser(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("export-user"))
    .description("Write all that is held of a user, as lines of JSON.")
    .argument("<id>", "the user")
    .option("--to <file>", "a new file, instead of standard output")
    .addHelpText("after", NOTES)
    .action(async (userId: string, rawOptions: RawOptions<ExportOptions>, command: Command) => {
      const access = readAccess(host, command, rawOptions);
      end(
        rawOptions.to === undefined
          ? await exportTo(host, access, userId)
          : await exportToFile(host, access, userId, rawOptions.to),
      );
    });
}

type Write = (line: string) => Promise<void>;

async function exportToFile(host: Host, access: ApiAccess, userId: string, path: string): Promise<ExitCode> {
  let file: FileHandle;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    return fail(host, `${path} cannot be created: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`);
  }
  let code: ExitCode = 1;
  try {
    code = await exportTo(host, access, userId, (line) => file.appendFile(`${line}\n`));
    await file.sync();
  } finally {
    await file.close();
    if (code !== 0) await rm(path, { force: true });
  }
  return code;
}

/** Writes each line, and says on standard error how many there are, or that the export is not whole. */
async function exportTo(host: Host, access: ApiAccess, userId: string, write?: Write): Promise<ExitCode> {
  const progress = createProgressDisplay(host);
  const answer = { lines: 0, isWhole: false };
  const outcome = await linesFromApi(host, access, `/api/users/${encodeURIComponent(userId)}/export`, async (line) => {
    answer.isWhole = parseObject(line)?.["kind"] === "end";
    if (answer.isWhole) return;
    answer.lines += 1;
    if (write === undefined) host.out(line);
    else await write(line);
    progress.show({ doing: "exporting", done: answer.lines });
  });
  progress.clear();
  if (outcome.kind === "refused") return fail(host, outcome.reason);
  if (!answer.isWhole) return fail(host, "the answer broke off");
  host.err(answer.lines === 0 ? "nothing is held of this user" : `${countOf(answer.lines, "thing")} held of this user`);
  return 0;
}

function fail(host: Host, reason: string): ExitCode {
  host.err(`postrider: ${reason}`);
  return 1;
}

/** `refused`: there is no answer, it is not the one that was asked for, or it broke off. */
type ReadLinesResult = { readonly kind: "ok" } | { readonly kind: "refused"; readonly reason: string };

/** Calls `onLine` with each line, in order. */
async function linesFromApi(
  host: Pick<Host, "clock">,
  { url, token }: ApiAccess,
  path: string,
  onLine: (line: string) => Promise<void>,
): Promise<ReadLinesResult> {
  const silence = watchSilence(host);
  let failure = `no answer from ${url}`;
  try {
    const headers = { authorization: bearerHeader(token) };
    const response = await fetch(`${url}${path}`, { headers, signal: silence.signal, redirect: "manual" });
    if (response.status !== 200 || response.body === null) return await refusalOf(response);
    failure = "the answer broke off";
    for await (const line of linesOf(response.body, silence.restart)) await onLine(line);
    return { kind: "ok" };
  } catch (error) {
    return { kind: "refused", reason: `${failure}: ${faultInWords(silence.signal.aborted ? "timeout" : error)}` };
  } finally {
    silence.end();
  }
}

async function refusalOf(response: Response): Promise<ReadLinesResult> {
  const text = await response.text();
  return { kind: "refused", reason: answerInWords({ kind: "answered", status: response.status, text }) };
}

async function* linesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onPiece: () => void,
): AsyncGenerator<string, void, void> {
  let partialLine = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    onPiece();
    const lines = (partialLine + piece).split("\n");
    partialLine = lines.pop() ?? "";
    yield* lines;
  }
}

/** Aborts once `SILENCE_MS` have passed since the last `restart`. */
function watchSilence({ clock }: Pick<Host, "clock">): Silence {
  const abort = new AbortController();
  const begin = (): Cancel => clock.after(SILENCE_MS, () => abort.abort());
  let cancel = begin();
  const end = (): void => cancel();
  const restart = (): void => {
    end();
    cancel = begin();
  };
  return { signal: abort.signal, restart, end };
}

interface Silence {
  readonly signal: AbortSignal;
  readonly restart: () => void;
  readonly end: () => void;
}
