// postrider replay-jobs: replays all that a filter finds, as a job of the server, which goes on without this program.

import { CALL_KINDS, DEAD_REASONS, FAULTS } from "@postrider/core";
import { type Command, Option } from "commander";
import { addAccessOptions, type Given, readAccess } from "../access.js";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import type { ExitCode, Host } from "../host.js";
import { parseInstant, parseReplayedStates, parseStatusFilter } from "../options.js";
import { awaitJob } from "../replays/await-job.js";
import { jobTable } from "../replays/job-table.js";
import { previewInWords } from "../replays/preview-in-words.js";
import { type ApiAccess, askApi, expectApiAnswer, readFromApi } from "../requests/ask-api.js";

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

const START_EXAMPLES = `
Without --yes, says what would be replayed.

Examples:
  $ postrider replay-jobs start --reason expired
  $ postrider replay-jobs start --destination crm --status 5xx --yes
  $ postrider replay-jobs start --state delivered,dead --since 2026-01-31T12:00:00Z --until 2026-01-31T13:00:00Z --yes`;

/** Adds the command and its subcommands; `end` gets the exit code. */
export function addReplayJobs(program: Command, host: Host, end: End): void {
  const jobs = program
    .command("replay-jobs")
    .description("Replay all that a filter finds, as a job of the server.")
    .addHelpText("after", EXAMPLES);
  addStart(jobs, host, end);
  addList(jobs, host, end);
  addOne(jobs, host, { name: "show", description: "Show one job.", end });
  addOne(jobs, host, { name: "cancel", description: "End a running job; what it has replayed stays replayed.", end });
}

function addStart(jobs: Command, host: Host, end: End): void {
  addAccessOptions(jobs.command("start"))
    .description("Say what a job would replay; with --yes, start it.")
    .option("--state <states>", "dead (the default), delivered, or both with a comma", parseReplayedStates)
    .addOption(new Option("--reason <reason>", "only those dead for this reason").choices(DEAD_REASONS))
    .option("--status <status>", "only those answered so at last: 503, or 5xx", parseStatusFilter)
    .addOption(new Option("--fault <fault>", "only those that failed so at last").choices(FAULTS))
    .option("--destination <id>", "only those to this destination")
    .option("--source <id>", "only those of this source")
    .addOption(new Option("--type <type>", "only those of this type").choices([...CALL_KINDS, "delete"]))
    .option("--since <time>", "only those accepted at this time or later", parseInstant)
    .option("--until <time>", "only those accepted before this time", parseInstant)
    .option("--yes", "start the job; without this option, say what it would replay")
    .option("--no-wait", "print the id of the job, and do not wait for its end")
    .addHelpText("after", START_EXAMPLES)
    .action(async (given: Given<StartOptions>, command: Command) => {
      const options = { ...given, ...readAccess(host, command, given) };
      end(options.yes === true ? await start(host, options) : await preview(host, options));
    });
}

/** The filters as the API takes them. */
function bodyOf({ state, fault, reason, status, destination, source, type, since, until }: StartOptions): object {
  return {
    ...(state === undefined ? {} : { state: state.split(",") }),
    ...(fault === undefined ? {} : { fault: [fault] }),
    ...{ reason, status, destination, source, type, since, until },
  };
}

async function preview(host: Host, options: StartOptions): Promise<ExitCode> {
  const asked = { path: "/api/replay-jobs/preview", body: bodyOf(options) };
  const answer = expectApiAnswer(host, await askApi(host, options, asked), 200);
  if (answer === undefined) return 1;
  previewInWords(answer, host.columns()).forEach((line) => host.out(line));
  if (answer["deliveries"] !== 0) host.err("nothing was replayed; run again with --yes");
  return 1;
}

async function start(host: Host, options: StartOptions): Promise<ExitCode> {
  const posted = await askApi(host, options, { path: "/api/replay-jobs", body: bodyOf(options) });
  const job = expectApiAnswer(host, posted, 202);
  if (job === undefined) return 1;
  const id = fieldOf(job, "id");
  if (options.wait) host.err(`job ${id} is on its way; it goes on if this program is stopped`);
  else host.out(id);
  return options.wait ? awaitJob(host, options, id) : 0;
}

function addList(jobs: Command, host: Host, end: End): void {
  addAccessOptions(jobs.command("list"))
    .description("List the jobs, the latest first.")
    .option("--json", "print each job as a line of JSON")
    .action(async (given: Given<JobOptions>, command: Command) =>
      end(await list(host, { ...given, ...readAccess(host, command, given) })),
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

interface OneCommand {
  readonly name: "show" | "cancel";
  readonly description: string;
  readonly end: End;
}

function addOne(jobs: Command, host: Host, { name, description, end }: OneCommand): void {
  addAccessOptions(jobs.command(name))
    .description(description)
    .argument("<id>", "the id of the job")
    .option("--json", "print the job as one line of JSON")
    .action(async (id: string, given: Given<JobOptions>, command: Command) => {
      const options = { ...given, ...readAccess(host, command, given) };
      const path = `/api/replay-jobs/${encodeURIComponent(id)}`;
      const asked = name === "show" ? ({ method: "GET", path } as const) : { path: `${path}/cancel` };
      const job = expectApiAnswer(host, await askApi(host, options, asked), 200);
      if (job === undefined) {
        end(1);
        return;
      }
      if (options.json === true) host.out(JSON.stringify(job));
      else jobTable([job], host.columns()).forEach((line) => host.out(line));
      end(0);
    });
}
