// postrider replay-jobs: replays all deliveries that match a filter, as a job of the server, which goes on without this program.
// Lists, shows and cancels jobs; replay-jobs-start.ts starts them.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import type { Command } from "commander";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { formatCount } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { type ApiAccess, askApi, expectApiAnswer, readFromApi } from "../requests/ask-api.js";
import type { Line, Style } from "../terminal/line.js";
import { type Cell, tableLines } from "../terminal/table.js";
import { addReplayJobsStart } from "./replay-jobs-start.js";

const COLUMNS = [
  { heading: "id" },
  { heading: "state" },
  { heading: "expected" },
  { heading: "replayed" },
  { heading: "skipped" },
  { heading: "created" },
  { heading: "ended" },
  { heading: "filter", isCuttable: true },
];

const STYLES: ReadonlyMap<string, Style> = new Map([
  ["done", "good"],
  ["running", "strong"],
]);

interface JobOptions extends ApiAccess {
  readonly json?: true;
}

type End = (code: ExitCode) => void;

const EXAMPLES = `
A job replays what was not replayed before, and goes on without this program, through restarts of the server.

Examples:
  $ postrider replay-jobs start --destination crm --since 2026-01-31T12:00:00Z
  $ postrider replay-jobs start --destination crm --since 2026-01-31T12:00:00Z --yes
  $ postrider replay-jobs list
  $ postrider replay-jobs cancel 0f2c9be5a1d3c478`;

/** Adds the command and its subcommands; `end` gets the exit code. */
export function addReplayJobs(program: Command, host: Host, end: End): void {
  const jobs = program
    .command("replay-jobs")
    .description("Replay all that a filter finds, as a job of the server.")
    .addHelpText("after", EXAMPLES);
  addReplayJobsStart(jobs, host, end);
  addList(jobs, host, end);
  addJobCommand(jobs, host, { name: "show", description: "Show one job.", end });
  addJobCommand(jobs, host, {
    name: "cancel",
    description: "End a running job; what it has replayed stays replayed.",
    end,
  });
}

function addList(jobs: Command, host: Host, end: End): void {
  addAccessOptions(jobs.command("list"))
    .description("List the jobs, the latest first.")
    .option("--json", "print each job as a line of JSON")
    .action(async (rawOptions: RawOptions<JobOptions>, command: Command) =>
      end(await list(host, { ...rawOptions, ...readAccess(host, command, rawOptions) })),
    );
}

async function list(host: Host, options: JobOptions): Promise<ExitCode> {
  const answer = await readFromApi(host, options, "/api/replay-jobs");
  if (answer === undefined) return 1;
  const jobs = objectsIn(answer, "jobs");
  if (options.json === true) jobs.forEach((job) => host.out(JSON.stringify(job)));
  else if (jobs.length === 0) host.err("there are no replay jobs");
  else jobTable(jobs, host.columns()).forEach((line) => host.out(line));
  return 0;
}

interface JobCommand {
  readonly name: "show" | "cancel";
  readonly description: string;
  readonly end: End;
}

function addJobCommand(jobs: Command, host: Host, { name, description, end }: JobCommand): void {
  addAccessOptions(jobs.command(name))
    .description(description)
    .argument("<id>", "the id of the job")
    .option("--json", "print the job as one line of JSON")
    .action(async (id: string, rawOptions: RawOptions<JobOptions>, command: Command) => {
      const options = { ...rawOptions, ...readAccess(host, command, rawOptions) };
      const path = `/api/replay-jobs/${encodeURIComponent(id)}`;
      const request = name === "show" ? ({ method: "GET", path } as const) : { path: `${path}/cancel` };
      const job = expectApiAnswer(host, await askApi(host, options, request), 200);
      if (job === undefined) {
        end(1);
        return;
      }
      if (options.json === true) host.out(JSON.stringify(job));
      else jobTable([job], host.columns()).forEach((line) => host.out(line));
      end(0);
    });
}

/** `width`: the characters of a line; if absent, nothing is cut. */
function jobTable(jobs: readonly JsonObject[], width: number | undefined): readonly Line[] {
  return tableLines(COLUMNS, jobs.map(rowOf), width);
}

function rowOf(job: JsonObject): readonly Cell[] {
  const state = fieldOf(job, "state");
  return [
    fieldOf(job, "id"),
    { text: state, style: STYLES.get(state) ?? "caution" },
    formatCount(job["expected"]),
    formatCount(job["replayed"]),
    formatCount(job["skipped"]),
    fieldOf(job, "createdAt"),
    fieldOf(job, "endedAt"),
    filterInWords(job["filter"]),
  ];
}

/** The filter without its null fields: `states dead, destination crm`. */
function filterInWords(filter: unknown): string {
  if (!isPlainObject(filter)) return "-";
  return Object.entries(filter)
    .flatMap(([name, value]) => (value === null ? [] : [`${name} ${wordOf(value)}`]))
    .join(", ");
}

/** A list of more than three values is cut after two. */
function wordOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  return value.length > 3 ? `${value.slice(0, 2).map(String).join(" ")} …` : value.map(String).join(" ");
}
