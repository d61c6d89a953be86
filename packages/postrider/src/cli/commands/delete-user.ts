// postrider delete-user: asks a server to delete users. Their stored data is removed, and destinations are told to delete
// it too.

import { type Command, Option } from "commander";
import { addAccessOptions, type Given, readAccess } from "../access.js";
import type { ApiAccess } from "../requests/ask-api.js";
import type { ExitCode, Host } from "../host.js";
import { appendValue } from "../options.js";
import { readUserIds } from "../users/read-user-ids.js";
import { requestDeletions } from "../users/request-deletions.js";

interface DeleteOptions extends ApiAccess {
  readonly file?: string;
  readonly regulation: "delete-only" | "suppress-with-delete";
  readonly source?: readonly string[];
  readonly wait?: boolean;
}

const EXAMPLES = `
Examples:
  $ postrider delete-user u1 u2
  $ postrider delete-user --file users.txt --source website --wait
  $ postrider delete-user u1 --regulation suppress-with-delete`;

/** Adds the command; `end` gets its exit code. */
export function addDeleteUser(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("delete-user"))
    .description("Delete users: their stored data is removed, and destinations are told to delete them.")
    .argument("[ids...]", "the users")
    .option("--file <file>", "a file with a user id in each line")
    .addOption(
      new Option("--regulation <kind>", "whether their later calls are blocked")
        .choices(["delete-only", "suppress-with-delete"])
        .default("delete-only"),
    )
    .option("--source <id>", "only data from this source; may be given several times", appendValue)
    .option("--wait", "wait until their data is removed and all notices are stored")
    .addHelpText("after", EXAMPLES)
    .action(async (ids: readonly string[], given: Given<DeleteOptions>, command: Command) => {
      const read = await readUserIds(ids, given.file);
      if (read.kind === "refused") return command.error(`error: ${read.reason}`);
      const { regulation, source, wait = false } = given;
      const access = readAccess(host, command, given);
      const sources = source === undefined ? {} : { sources: source };
      end(await requestDeletions(host, { access, userIds: read.userIds, regulation, ...sources, waits: wait }));
    });
}
