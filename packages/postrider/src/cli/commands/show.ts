// postrider show: shows one delivery with its attempts, as text or as a line of JSON. The message is user data, so the text
// has it only on request.

import type { Command } from "commander";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { deliveryInWords } from "../deliveries/delivery-in-words.js";
import type { ExitCode, Host } from "../host.js";
import { type ApiAccess, readFromApi } from "../requests/ask-api.js";

interface ShowOptions extends ApiAccess {
  readonly message?: true;
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  $ postrider show 42
  $ postrider show 42 --message`;

/** Adds the command; `end` gets its exit code. */
export function addShow(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("show"))
    .description("Show one delivery: its state and why, its attempts, what receivers answered.")
    .argument("<id>", "the delivery, as postrider deliveries lists it")
    .option("--message", "show its message too, which is user data")
    .option("--json", "print everything, with the message, as one line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (id: string, rawOptions: RawOptions<ShowOptions>, command: Command) =>
      end(await show(host, id, { ...rawOptions, ...readAccess(host, command, rawOptions) })),
    );
}

async function show(host: Host, id: string, options: ShowOptions): Promise<ExitCode> {
  const delivery = await readFromApi(host, options, `/api/deliveries/${encodeURIComponent(id)}`);
  if (delivery === undefined) return 1;
  if (options.json === true) {
    host.out(JSON.stringify(delivery));
    return 0;
  }
  const lines = deliveryInWords(delivery, {
    now: host.clock.wall(),
    width: host.columns(),
    hasMessage: options.message === true,
  });
  lines.forEach((line) => host.out(line));
  return 0;
}
