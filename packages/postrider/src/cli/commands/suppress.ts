// postrider suppress and unsuppress: blocks the calls of users, or accepts them again.

import type { Command } from "commander";
import { addAccessOptions, type Given, readAccess } from "../access.js";
import type { ApiAccess } from "../requests/ask-api.js";
import type { ExitCode, Host } from "../host.js";
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
  addAccessOptions(program.command(name))
    .description(does)
    .argument("[ids...]", "the users")
    .option("--file <file>", "a file with a user id in each line")
    .addHelpText("after", `\nExample:\n  $ postrider ${name} u1 u2`)
    .action(async (ids: readonly string[], given: Given<SuppressOptions>, command: Command) => {
      const read = await readUserIds(ids, given.file);
      if (read.kind === "refused") return command.error(`error: ${read.reason}`);
      const access = readAccess(host, command, given);
      end(await requestDeletions(host, { access, userIds: read.userIds, regulation, waits: false }));
    });
}
