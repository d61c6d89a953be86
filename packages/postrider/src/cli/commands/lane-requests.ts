// postrider pause, resume and probe: what an operator asks of the lane of one destination.

import type { Command } from "commander";
import { addAccessOptions, type Given, readAccess } from "../access.js";
import type { ExitCode, Host } from "../host.js";
import { laneTable } from "../lanes/lane-table.js";
import { type ApiAccess, askApi, expectApiAnswer } from "../requests/ask-api.js";

interface LaneOptions extends ApiAccess {
  readonly json?: true;
}

interface LaneCommand {
  readonly name: "pause" | "resume" | "probe";
  readonly description: string;
  readonly notes: string;
}

const PAUSE: LaneCommand = {
  name: "pause",
  description: "Pause a destination: its deliveries wait.",
  notes: `
The pause outlives a restart and a reload of the config. Calls are accepted as before; the retry windows of deliveries that were
tried run on. \`postrider resume\` ends the pause.`,
};

const RESUME: LaneCommand = {
  name: "resume",
  description: "End the pause of a destination.",
  notes: `
Ends what \`postrider pause\` has begun. A destination with "paused": true in the config stays paused: change the config.`,
};

const PROBE: LaneCommand = {
  name: "probe",
  description: "Send the next probe to a destination that is held or blocked now.",
  notes: `
For a receiver that was repaired: a delivery that waits is sent now, not when the next probe is due. If it arrives, the others
follow.`,
};

/** Adds the commands; `end` gets their exit codes. */
export function addLaneRequests(program: Command, host: Host, end: (code: ExitCode) => void): void {
  for (const { name, description, notes } of [PAUSE, RESUME, PROBE]) {
    addAccessOptions(program.command(name))
      .description(description)
      .argument("<destination>", "the id of the destination")
      .option("--json", "print the lane as one line of JSON")
      .addHelpText("after", `${notes}\n\nExamples:\n  $ postrider ${name} crm`)
      .action(async (destination: string, given: Given<LaneOptions>, command: Command) =>
        end(await ask(host, { name, destination }, { ...given, ...readAccess(host, command, given) })),
      );
  }
}

async function ask(
  host: Host,
  { name, destination }: { readonly name: LaneCommand["name"]; readonly destination: string },
  options: LaneOptions,
): Promise<ExitCode> {
  const path = `/api/lanes/${encodeURIComponent(destination)}/${name}`;
  const lane = expectApiAnswer(host, await askApi(host, options, { path }), 200);
  if (lane === undefined) return 1;
  if (options.json === true) host.out(JSON.stringify(lane));
  else laneTable([lane], { now: host.clock.wall(), width: host.columns() }).forEach((line) => host.out(line));
  if (name === "resume" && lane["mode"] === "paused")
    host.err('the settings still pause it: remove "paused" from its destination in the config, and reload');
  return 0;
}
