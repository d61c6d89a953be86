// postrider test: has a server send a test event to a destination, and shows what each of its endpoints answered.

import type { JsonObject } from "@postrider/core";
import type { Command } from "commander";
import { addAccessOptions, type Given, readAccess } from "../access.js";
import { objectsIn } from "../deliveries/delivery-json.js";
import { testReportInWords } from "../deliveries/test-report-in-words.js";
import type { ExitCode, Host } from "../host.js";
import { parseJsonObject } from "../options.js";
import { type ApiAccess, askApi, expectApiAnswer } from "../requests/ask-api.js";

interface TestOptions extends ApiAccess {
  readonly call?: JsonObject;
  readonly json?: true;
}

const NOTES = `
The event is signed like a delivery and has "test": true in its context. It is no delivery: nothing is stored, counted or
retried, and a destination that is off, paused or held gets it too. Ends with 0 if an endpoint took it, and with 1 otherwise.

Examples:
  $ postrider test crm
  $ postrider test crm --call '{"type":"identify","userId":"u1","traits":{"plan":"pro"}}'`;

/** Adds the command; `end` gets its exit code. */
export function addTest(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("test"))
    .description("Send a test event to a destination and show what its endpoints answer.")
    .argument("<destination>", "the id of the destination")
    .option("--call <json>", 'the call that is sent; a track call "Test Event" if absent', parseJsonObject)
    .option("--json", "print the report as one line of JSON")
    .addHelpText("after", NOTES)
    .action(async (destination: string, given: Given<TestOptions>, command: Command) =>
      end(await sendTest(host, destination, { ...given, ...readAccess(host, command, given) })),
    );
}

async function sendTest(host: Host, destination: string, options: TestOptions): Promise<ExitCode> {
  const { call } = options;
  const path = `/api/destinations/${encodeURIComponent(destination)}/test`;
  const posted = await askApi(host, options, { path, ...(call === undefined ? {} : { body: { call } }) });
  const report = expectApiAnswer(host, posted, 200);
  if (report === undefined) return 1;
  if (options.json === true) host.out(JSON.stringify(report));
  else testReportInWords(report, host.columns()).forEach((line) => host.out(line));
  return objectsIn(report, "attempts").some(({ verdict }) => verdict === "success") ? 0 : 1;
}
