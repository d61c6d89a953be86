// postrider replay: asks a server to deliver again, one delivery by its id or all dead deliveries of a destination. A replay
// of many sends one request after another until the server reports that no more are left.

import { DEAD_REASONS } from "@postrider/core";
import { type Command, Option } from "commander";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { addTimeOptions } from "../deliveries/list-deliveries.js";
import { expectApiAnswer, type ApiAccess, askApi } from "../requests/ask-api.js";
import { tellUnknownNames } from "../requests/tell-unknown-names.js";
import type { ExitCode, Host } from "../host.js";

interface ReplayOptions extends ApiAccess {
  readonly destination?: string;
  readonly reason?: string;
  readonly since?: string;
  readonly until?: string;
}

/** The most requests of one run. With 1,000 deliveries each, they replay more than a lane can have. */
const MAX_REQUESTS = 10_000;

const EXAMPLES = `
Examples:
  $ postrider replay 42
  $ postrider replay --destination crm --reason expired
  $ postrider replay --destination crm --since 2026-01-31T12:00:00Z`;

/** Adds the command; `end` gets its exit code. */
export function addReplay(program: Command, host: Host, end: (code: ExitCode) => void): void {
  const replay = addAccessOptions(program.command("replay"))
    .description("Deliver again: one delivery, or the dead ones of a destination.")
    .argument("[id]", "the delivery")
    .option("--destination <id>", "all dead deliveries of this destination")
    .addOption(new Option("--reason <reason>", "only those dead for this reason").choices(DEAD_REASONS));
  addTimeOptions(replay)
    .addHelpText("after", EXAMPLES)
    .action(async (id: string | undefined, rawOptions: RawOptions<ReplayOptions>, command: Command) => {
      if ((id === undefined) === (rawOptions.destination === undefined)) {
        command.error("error: give either the id of a delivery or --destination");
      }
      const options = { ...rawOptions, ...readAccess(host, command, rawOptions) };
      end(id === undefined ? await replayMany(host, options) : await replayOne(host, id, options));
    });
}

async function replayOne(host: Host, id: string, options: ReplayOptions): Promise<ExitCode> {
  const result = await askApi(host, options, { path: `/api/deliveries/${encodeURIComponent(id)}/replay` });
  const answer = expectApiAnswer(host, result, 202);
  if (answer === undefined) return 1;
  host.out(`replayed as ${String(answer["id"])}`);
  return 0;
}

async function replayMany(host: Host, options: ReplayOptions): Promise<ExitCode> {
  const { destination, reason, since, until } = options;
  let total = 0;
  for (let request = 0; request < MAX_REQUESTS; request += 1) {
    const result = await askApi(host, options, { path: "/api/replay", body: { destination, reason, since, until } });
    const answer = expectApiAnswer(host, result, 202);
    if (answer !== undefined) total += Number(answer["replayed"]);
    if (answer?.["more"] === true) continue;
    host.out(`replayed ${String(total)}`);
    if (total === 0 && destination !== undefined)
      await tellUnknownNames(host, options, { destinations: [destination] });
    return answer === undefined ? 1 : 0;
  }
  host.err("postrider: more are left; run the command again to go on");
  return 1;
}
