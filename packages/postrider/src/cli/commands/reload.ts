// postrider reload: has a server read its config again, as SIGHUP does, and prints what it read or every problem.

import type { JsonObject } from "@postrider/core";
import type { Command } from "commander";
import { type AccessOptions, addAccessOptions, readAccess } from "../access.js";
import { objectsIn } from "../deliveries/delivery-json.js";
import { formatCount } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { parseObject } from "../parse-object.js";
import { type ApiAccess, askApi, expectApiAnswer } from "../requests/ask-api.js";
import type { SendResult } from "../requests/send-json.js";

const NOTES = `
A config with problems changes nothing: they are printed, and the exit status is 2. The token is that of the config in force.

Example:
  $ postrider reload`;

/** Adds the command; `end` gets its exit code. */
export function addReload(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("reload"))
    .description("Have a server read its config again, as SIGHUP does.")
    .addHelpText("after", NOTES)
    .action(async (given: AccessOptions, command: Command) =>
      end(await reload(host, readAccess(host, command, given))),
    );
}

async function reload(host: Host, access: ApiAccess): Promise<ExitCode> {
  const posted = await askApi(host, access, { path: "/api/reload" });
  const refused = refusalIn(posted);
  if (refused !== undefined) return report(host, refused);
  const answer = expectApiAnswer(host, posted, 200);
  if (answer === undefined) return 1;
  const { sources, destinations, needsRestart } = answer;
  host.out(`reloaded: ${counted(sources, "source")}, ${counted(destinations, "destination")}`);
  for (const part of Array.isArray(needsRestart) ? needsRestart : []) {
    host.err(`warning: ${String(part)} has changed; the old value is used until a restart`);
  }
  return 0;
}

/** The answer to a config with problems; undefined for any other. */
function refusalIn(posted: SendResult): JsonObject | undefined {
  return posted.kind === "answered" && posted.status === 422 ? parseObject(posted.text) : undefined;
}

function report(host: Host, refusal: JsonObject): ExitCode {
  for (const { path, expected, code } of objectsIn(refusal, "problems")) {
    host.err(`${path === "" ? "the config" : String(path)}: expected ${String(expected)} (${String(code)})`);
  }
  if (Number(refusal["more"]) > 0) host.err(`${formatCount(refusal["more"])} more problems are not shown`);
  host.err("postrider: nothing was changed");
  return 2;
}

function counted(count: unknown, one: string): string {
  return `${formatCount(count)} ${one}${count === 1 ? "" : "s"}`;
}
