// postrider replay-jobs: replays all that a filter finds, as a job of the server, which goes on without this program.

import type { Command } from "commander";
import { addAccessOptions, type Given, readAccess } from "../access.js";
import { objectsIn } from "../deliveries/delivery-json.js";
import type { ExitCode, Host } from "../host.js";
import { jobTable } from "../replays/job-table.js";
import { type ApiAccess, askApi, expectApiAnswer, readFromApi } from "../requests/ask-api.js";
import { addReplayJobsStart } from "./replay-jobs-start.js";

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
  addOne(jobs, host, { name: "show", description: "Show one job.", end });
  addOne(jobs, host, { name: "cancel", description: "End a running job; what it has replayed stays replayed.", end });
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
