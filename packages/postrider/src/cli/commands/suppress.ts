// postrider suppress and unsuppress: blocks the calls of users, or accepts them again.

import type { Command } from "commander";
import type { ApiAccess } from "../requests/ask-api.js";
import type { ExitCode, Host } from "../host.js";
import { parseServerUrl, tokenOption } from "../options.js";
import { readUserIds } from "../users/read-user-ids.js";
import { requestDeletions } from "../users/request-deletions.js";

interface SuppressOptions extends ApiAccess {
  readonly file?: string;
}

/** Adds the command; `end` gets its exit code. */
export function addSuppress(program: Command, host: Host, end: (code: ExitCode) => void): void {
  add(program, host, {
    name: "suppress",
    does: "Block users: their calls are no longer stored, and waiting deliveries are not sent.",
    regulation: "suppress-only",
    end,
  });
}

/** Adds the command; `end` gets its exit code. */
export function addUnsuppress(program: Command, host: Host, end: (code: ExitCode) => void): void {
  add(program, host, {
    name: "unsuppress",
    does: "Accept the calls of blocked users again.",
    regulation: "unsuppress",
    end,
  });
}

interface Kind {
  readonly name: string;
  readonly does: string;
  readonly regulation: "suppress-only" | "unsuppress";
  readonly end: (code: ExitCode) => void;
}

function add(program: Command, host: Host, { name, does, regulation, end }: Kind): void {
  const command = program
    .command(name)
    .description(does)
    .argument("[ids...]", "the users")
    .requiredOption("--url <url>", "the server", parseServerUrl)
    .addOption(tokenOption(host).makeOptionMandatory())
    .option("--file <file>", "a file with a user id in each line")
    .addHelpText("after", `\nExample:\n  $ postrider ${name} --url http://127.0.0.1:8080 --token t0ken u1 u2`)
    .action(async (ids: readonly string[], options: SuppressOptions) => {
      const read = await readUserIds(ids, options.file);
      if (read.kind === "refused") return command.error(`error: ${read.reason}`);
      end(await requestDeletions(host, { access: options, userIds: read.userIds, regulation, waits: false }));
    });
}
