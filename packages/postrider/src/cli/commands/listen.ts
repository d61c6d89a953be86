// postrider listen: runs a receiver on this machine that verifies signatures and prints a line for each message. It can fail
// or answer slowly on request.

import { defined } from "@postrider/core/engine";
import type { Command } from "commander";
import { readFirstLine } from "../access.js";
import type { ExitCode, Host } from "../host.js";
import { listenOn } from "../../server/listen-on.js";
import { parseDelay, parseFilledText, parsePort, parseStatus } from "../options.js";
import { receivedLine, createReceiver } from "../receiver/receiver.js";
import { awaitSignal } from "../signals.js";

interface ListenOptions {
  readonly port: number;
  readonly secret?: string;
  readonly status: number;
  readonly delay: number;
}

interface RawListenOptions extends ListenOptions {
  readonly secretFile?: string;
}

const EXAMPLES = `
Examples:
  $ postrider listen --port 9000 --secret-file postrider-secrets/shared-secret
  $ postrider listen --port 9000 --status 503            a receiver that is down
  $ postrider listen --port 9000 --delay 6000            one that answers too late`;

/** Adds the command; `end` gets its exit code. */
export function addListen(program: Command, host: Host, end: (code: ExitCode) => void): void {
  program
    .command("listen")
    .description("Receive messages on 127.0.0.1, verify their signatures and print a line for each.")
    .option("--port <number>", "the port; 0 uses a free one", parsePort, 0)
    .option(
      "--secret <text>",
      "the secret that signs messages; without it signatures are not verified",
      parseFilledText,
    )
    .option("--secret-file <file>", "a file whose first line is the secret")
    .option("--status <number>", "the status to answer with", parseStatus, 200)
    .option("--delay <ms>", "how long to wait before the answer", parseDelay, 0)
    .addHelpText("after", EXAMPLES)
    .action(async ({ secretFile, ...options }: RawListenOptions, command: Command) => {
      const secret =
        options.secret ?? (secretFile === undefined ? undefined : readFirstLine(command, secretFile, "secret"));
      end(await listen(host, { ...options, ...defined({ secret }) }));
    });
}

async function listen(host: Host, { port, secret, status, delay }: ListenOptions): Promise<ExitCode> {
  const receiver = createReceiver({
    ...defined({ secret }),
    status,
    delayMs: delay,
    clock: host.clock,
    onReceived: (received) => host.out(receivedLine(received)),
  });
  const outcome = await listenOn(receiver, { host: "127.0.0.1", port });
  if (outcome.kind === "refused") {
    host.err(`postrider: ${outcome.reason}`);
    return 1;
  }
  host.out(`listening on ${outcome.url}`);
  await awaitSignal(host);
  receiver.close();
  receiver.closeAllConnections();
  return 0;
}
