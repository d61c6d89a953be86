// postrider reload: has a server read its config again, as SIGHUP does, and prints what it read or every problem.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import type { Command } from "commander";
import { type AccessOptions, addAccessOptions, readAccess } from "../access.js";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { countOf } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { type ApiAccess, askApi, expectApiAnswer, type SendResult } from "../requests/ask-api.js";
import { parseObject } from "../parse-object.js";

const NOTES = `
A config with problems changes nothing: they are printed, and the exit status is 2. A certificate that cannot be served is not
taken, and the exit status is 1. The token is that of the config in force.

Example:
  $ postrider reload`;

/** Adds the command; `end` gets its exit code. */
export function addReload(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("reload"))
    .description("Have a server read its config again, as SIGHUP does.")
    .addHelpText("after", NOTES)
    .action(async (rawOptions: AccessOptions, command: Command) =>
      end(await reload(host, readAccess(host, command, rawOptions))),
    );
}

async function reload(host: Host, access: ApiAccess): Promise<ExitCode> {
  const result = await askApi(host, access, { path: "/api/reload" });
  const refusal = refusalIn(result);
  if (refusal !== undefined) return reportProblems(host, refusal);
  const answer = expectApiAnswer(host, result, 200);
  if (answer === undefined) return 1;
  const { sources, destinations, needsRestart } = answer;
  host.out(`reloaded: ${countOf(sources, "source")}, ${countOf(destinations, "destination")}`);
  for (const part of Array.isArray(needsRestart) ? needsRestart : []) {
    host.err(`warning: ${String(part)} has changed; the old value is used until a restart`);
  }
  return reportCertificate(host, answer) ? 0 : 1;
}

/** The answer to a config with problems; undefined for any other. */
function refusalIn(result: SendResult): JsonObject | undefined {
  const refusal = result.kind === "answered" && result.status === 422 ? parseObject(result.text) : undefined;
  return Array.isArray(refusal?.["problems"]) ? refusal : undefined;
}

function reportProblems(host: Host, refusal: JsonObject): ExitCode {
  for (const { path, expected, code } of objectsIn(refusal, "problems")) {
    host.err(`${path === "" ? "the config" : String(path)}: expected ${String(expected)} (${String(code)})`);
  }
  const more = Number(refusal["more"]);
  if (more > 0) host.err(`${countOf(more, "more problem is", "more problems are")} not shown`);
  host.err("postrider: nothing of the config was changed");
  reportCertificate(host, refusal);
  return 2;
}

/** False if the certificate was refused. A server without TLS has none. */
function reportCertificate(host: Host, { certificate }: JsonObject): boolean {
  if (certificate === "replaced" || certificate === "unchanged") host.out(`certificate: ${certificate}`);
  if (!isPlainObject(certificate)) return true;
  const reason = fieldOf(certificate, "refused");
  host.err(`postrider: the certificate was refused, and the one in use is kept: ${reason}`);
  return false;
}
