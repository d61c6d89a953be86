// postrider replay-jobs start: says what a job would replay; with --yes, starts it and waits for its end.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import type { Command } from "commander";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { deliveryTable, addKindOptions, addTimeOptions } from "../deliveries/list-deliveries.js";
import { countOf, formatCount } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { parseReplayedStates } from "../options.js";
import { createProgressDisplay } from "../progress-display.js";
import { type ApiAccess, askApi, expectApiAnswer, askUntil } from "../requests/ask-api.js";
import type { Line } from "../terminal/line.js";

const OUT_OF_REACH: readonly (readonly [name: string, why: string])[] = [
  ["purged", "their messages were purged"],
  ["destination-removed", "the config does not have their destination"],
];

/** Each is a filter of the API. */
interface Filters {
  readonly state?: string;
  readonly reason?: string;
  readonly status?: string;
  readonly fault?: string;
  readonly destination?: string;
  readonly source?: string;
  readonly type?: string;
  readonly since?: string;
  readonly until?: string;
}

interface StartOptions extends ApiAccess, Filters {
  readonly yes?: true;
  /** False with `--no-wait`. */
  readonly wait: boolean;
}

const START_EXAMPLES = `
Without --yes, says what would be replayed.

Examples:
  $ postrider replay-jobs start --reason expired
  $ postrider replay-jobs start --destination crm --status 5xx --yes
  $ postrider replay-jobs start --state delivered,dead --since 2026-01-31T12:00:00Z --until 2026-01-31T13:00:00Z --yes`;

/** Adds the subcommand; `end` gets its exit code. */
export function addReplayJobsStart(jobs: Command, host: Host, end: (code: ExitCode) => void): void {
  const command = addAccessOptions(jobs.command("start"))
    .description("Say what a job would replay; with --yes, start it.")
    .option("--state <states>", "dead (the default), delivered, or both with a comma", parseReplayedStates);
  addTimeOptions(addKindOptions(command))
    .option("--yes", "start the job; without this option, say what it would replay")
    .option("--no-wait", "print the id of the job, and do not wait for its end")
    .addHelpText("after", START_EXAMPLES)
    .action(async (rawOptions: RawOptions<StartOptions>, command: Command) => {
      const options = { ...rawOptions, ...readAccess(host, command, rawOptions) };
      end(options.yes === true ? await start(host, options) : await showPreview(host, options));
    });
}

/** The filters as the API takes them. */
function bodyOf({ state, fault, reason, status, destination, source, type, since, until }: StartOptions): object {
  return {
    ...(state === undefined ? {} : { state: state.split(",") }),
    ...(fault === undefined ? {} : { fault: [fault] }),
    reason,
    status,
    destination,
    source,
    type,
    since,
    until,
  };
}

async function showPreview(host: Host, options: StartOptions): Promise<ExitCode> {
  const request = { path: "/api/replay-jobs/preview", body: bodyOf(options) };
  const answer = expectApiAnswer(host, await askApi(host, options, request), 200);
  if (answer === undefined) return 1;
  previewInWords(answer, host.columns()).forEach((line) => host.out(line));
  if (answer["deliveries"] !== 0) host.err("nothing was replayed; run again with --yes");
  return 1;
}

async function start(host: Host, options: StartOptions): Promise<ExitCode> {
  const result = await askApi(host, options, { path: "/api/replay-jobs", body: bodyOf(options) });
  const job = expectApiAnswer(host, result, 202);
  if (job === undefined) return 1;
  const id = fieldOf(job, "id");
  if (options.wait) host.err(`job ${id} is on its way; it goes on if this program is stopped`);
  else host.out(id);
  return options.wait ? awaitJob(host, options, id) : 0;
}

/** `width`: the characters of a line of the table; if absent, nothing is cut. */
function previewInWords(preview: JsonObject, width: number | undefined): readonly Line[] {
  const examples = objectsIn(preview, "examples");
  const { deliveries, isWhole } = preview;
  const total = `${countOf(deliveries, "delivery", "deliveries")}${isWhole === false ? " or more" : ""}`;
  return [
    [{ text: `${total} can be replayed`, style: "strong" }],
    ...rangeLines(preview),
    ...objectsIn(preview, "byDestination").map((row) => countLine(row, `to ${fieldOf(row, "destination")}`)),
    ...objectsIn(preview, "byReason").map((row) => countLine(row, reasonInWords(fieldOf(row, "reason")))),
    ...outOfReachLines(preview["outOfReach"]),
    ...(examples.length > 0 ? ["", "the latest of them:", ...deliveryTable(examples, width)] : []),
  ];
}

function rangeLines(preview: JsonObject): readonly Line[] {
  return preview["oldest"] === null
    ? []
    : [`  accepted from ${fieldOf(preview, "oldest")} to ${fieldOf(preview, "newest")}`];
}

function countLine({ deliveries }: JsonObject, what: string): Line {
  return `  ${formatCount(deliveries)} ${what}`;
}

function reasonInWords(reason: string): string {
  return reason === "delivered" ? "delivered before" : `dead as ${reason}`;
}

function outOfReachLines(outOfReach: unknown): readonly Line[] {
  if (!isPlainObject(outOfReach)) return [];
  return OUT_OF_REACH.flatMap(([name, why]) => {
    const count = outOfReach[name];
    return typeof count === "number" && count > 0 ? [`  ${formatCount(count)} cannot be replayed: ${why}`] : [];
  });
}

/** Prints the counts of the ended job. The job goes on without this program. */
async function awaitJob(host: Host, access: ApiAccess, id: string): Promise<ExitCode> {
  const display = createProgressDisplay(host);
  const job = await askUntil(host, access, `/api/replay-jobs/${encodeURIComponent(id)}`, (answer) => {
    if (answer["state"] !== "running") return answer;
    display.show({ doing: "replayed", done: Number(answer["replayed"]), total: Number(answer["expected"]) });
    return undefined;
  });
  display.clear();
  if (job === undefined) {
    host.err(`postrider: the server no longer answers; it goes on with the job: see postrider replay-jobs show ${id}`);
    return 1;
  }
  host.out(
    `${fieldOf(job, "state")}: replayed ${formatCount(job["replayed"])}, skipped ${formatCount(job["skipped"])}`,
  );
  return job["state"] === "done" ? 0 : 1;
}
