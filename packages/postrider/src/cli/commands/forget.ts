// postrider forget: ends what waits for a destination that was removed from the settings. Asks until nothing is left.

import type { Command } from "commander";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { objectsIn } from "../deliveries/delivery-json.js";
import { countOf } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { type ApiAccess, askApi, expectApiAnswer, readFromApi } from "../requests/ask-api.js";

interface ForgetOptions extends ApiAccess {
  readonly yes?: true;
}

/** The most requests of one run: each ends up to 50,000 deliveries, and a lane has at most 1,000,000. */
const MAX_REQUESTS = 100;

const NOTES = `
What waits for a destination that is no longer in the config waits until retention ends, since the destination may come back.
This command ends it now: the deliveries are dead with the reason destination-removed. They can be replayed once the config has
the destination again.

Examples:
  $ postrider forget old-crm
  $ postrider forget old-crm --yes`;

/** Adds the command; `end` gets its exit code. */
export function addForget(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("forget"))
    .description("End what waits for a destination that the config does not have any more.")
    .argument("<destination>", "the id of the destination")
    .option("--yes", "end it; without this option, say what would end")
    .addHelpText("after", NOTES)
    .action(async (destination: string, rawOptions: RawOptions<ForgetOptions>, command: Command) => {
      const options = { ...rawOptions, ...readAccess(host, command, rawOptions) };
      end(options.yes === true ? await forget(host, destination, options) : await preview(host, destination, options));
    });
}

async function preview(host: Host, destination: string, options: ForgetOptions): Promise<ExitCode> {
  const answer = await readFromApi(host, options, "/api/lanes");
  if (answer === undefined) return 1;
  const lane = objectsIn(answer, "lanes").find((row) => row["destination"] === destination);
  if (lane === undefined) host.err(`nothing waits for ${destination}`);
  else if (lane["mode"] !== "gone") host.err(`the config has ${destination}: remove it there first, and reload`);
  else host.err(`${countOf(Number(lane["deliveries"]), "delivery", "deliveries")} would end; run again with --yes`);
  return 1;
}

async function forget(host: Host, destination: string, options: ForgetOptions): Promise<ExitCode> {
  const path = `/api/lanes/${encodeURIComponent(destination)}/forget`;
  let total = 0;
  for (let request = 0; request < MAX_REQUESTS; request += 1) {
    const answer = expectApiAnswer(host, await askApi(host, options, { path }), 200);
    if (answer === undefined) return 1;
    total += Number(answer["ended"]);
    if (answer["ended"] !== 0) continue;
    host.out(`ended ${String(total)}`);
    return 0;
  }
  host.err("postrider: more are left; run the command again to go on");
  return 1;
}
