// postrider tail: prints the latest calls of a server, and each further one as it comes in, until a signal ends it. Each line has the
// outcome of the call, and the reason if it goes to no destination.

import { INTAKE_OUTCOMES } from "@postrider/http/api";
import type { JsonObject } from "@postrider/core";
import { pauseFor } from "@postrider/core/engine";
import { type Command, Option } from "commander";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { callInWords } from "../calls/call-in-words.js";
import { listCalls } from "../calls/list-calls.js";
import { countOf } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { parseCallLimit } from "../options.js";
import type { ApiAccess } from "../requests/ask-api.js";
import { awaitSignal } from "../signals.js";

interface TailOptions extends ApiAccess {
  readonly source?: string;
  readonly outcome?: string;
  readonly messageId?: string;
  readonly limit: number;
  readonly follow: boolean;
  readonly json?: true;
}

/** The time between two requests for further calls. */
const ASK_EVERY_MS = 1_000;
const DEFAULT_LIMIT = 10;
/** The most calls that one answer has. */
const PAGE = 1_000;

const EXAMPLES = `
Examples:
  $ postrider tail
  $ postrider tail --outcome refused
  $ postrider tail --no-follow --limit 1000 --json | jq -r .messageId`;

/** Adds the command; `end` gets its exit code. */
export function addTail(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("tail"))
    .description("Print the latest calls, and each further one as it comes in.")
    .option("--source <id>", "only calls of this source")
    .addOption(new Option("--outcome <outcome>", "only calls with this outcome").choices(INTAKE_OUTCOMES))
    .option("--message-id <id>", "only the call with this messageId")
    .option("--limit <number>", "the number of earlier calls to print, at most 1,000", parseCallLimit, DEFAULT_LIMIT)
    .option("--no-follow", "print the latest calls and end")
    .option("--json", "print each call as a line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (rawOptions: RawOptions<TailOptions>, command: Command) =>
      end(await tail(host, { ...rawOptions, ...readAccess(host, command, rawOptions) })),
    );
}

async function tail(host: Host, options: TailOptions): Promise<ExitCode> {
  const signal = options.follow ? awaitSignal(host).then(() => true) : undefined;
  let page = await listCalls(host, options, options);
  for (;;) {
    if (page === undefined) return 1;
    if (page.missed > 0) host.err(`${countOf(page.missed, "call")} came in too fast to be shown`);
    page.calls.forEach((call) => print(host, call, options));
    if (signal === undefined) return 0;
    if (await Promise.race([signal, pauseFor(host.clock, ASK_EVERY_MS).then(() => false)])) return 0;
    page = await listCalls(host, options, { ...options, after: page.latest, limit: PAGE });
  }
}

function print(host: Host, call: JsonObject, { json }: TailOptions): void {
  host.out(json === true ? JSON.stringify(call) : callInWords(call));
}
