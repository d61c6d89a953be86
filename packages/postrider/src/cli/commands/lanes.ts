// postrider lanes: lists the lanes of a server, one for each destination: whether it sends, what waits, and what it waits for.

import type { Command } from "commander";
import { addAccessOptions, type Given, readAccess } from "../access.js";
import { objectsIn } from "../deliveries/delivery-json.js";
import type { ExitCode, Host } from "../host.js";
import { laneTable } from "../lanes/lane-table.js";
import { type ApiAccess, readFromApi } from "../requests/ask-api.js";

interface LanesOptions extends ApiAccess {
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  $ postrider lanes
  $ postrider lanes --json | jq -r 'select(.mode != "open") | .destination'`;

/** Adds the command; `end` gets its exit code. */
export function addLanes(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("lanes"))
    .description("List the destinations: which send, which are held or paused, what waits.")
    .option("--json", "print each lane as a line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (given: Given<LanesOptions>, command: Command) =>
      end(await list(host, { ...given, ...readAccess(host, command, given) })),
    );
}

async function list(host: Host, options: LanesOptions): Promise<ExitCode> {
  const answer = await readFromApi(host, options, "/api/lanes");
  if (answer === undefined) return 1;
  const lanes = objectsIn(answer, "lanes");
  if (options.json === true) lanes.forEach((lane) => host.out(JSON.stringify(lane)));
  else if (lanes.length === 0) host.err("the settings have no destinations, and nothing waits");
  else laneTable(lanes, { now: host.clock.wall(), width: host.columns() }).forEach((line) => host.out(line));
  return 0;
}
