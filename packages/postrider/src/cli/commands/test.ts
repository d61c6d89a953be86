// postrider test: has a server send a test event to a destination, and shows what each of its endpoints answered and what that
// means for a delivery.

import type { JsonObject } from "@postrider/core";
import { formatDuration, isOfOneMessage } from "@postrider/core/engine";
import type { Command } from "commander";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { excerptLines } from "../deliveries/delivery-in-words.js";
import { fieldOf, objectsIn, styleOf } from "../deliveries/delivery-json.js";
import type { ExitCode, Host } from "../host.js";
import { parseJsonObject } from "../options.js";
import { type ApiAccess, askApi, expectApiAnswer } from "../requests/ask-api.js";
import type { Line } from "../terminal/line.js";
import { type Cell, tableLines } from "../terminal/table.js";

const COLUMNS = [
  { heading: "endpoint", isCuttable: true },
  { heading: "answer", isCuttable: true },
  { heading: "took" },
  { heading: "verdict" },
];

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
    .action(async (destination: string, rawOptions: RawOptions<TestOptions>, command: Command) =>
      end(await sendTest(host, destination, { ...rawOptions, ...readAccess(host, command, rawOptions) })),
    );
}

async function sendTest(host: Host, destination: string, options: TestOptions): Promise<ExitCode> {
  const { call } = options;
  const path = `/api/destinations/${encodeURIComponent(destination)}/test`;
  const result = await askApi(host, options, { path, ...(call === undefined ? {} : { body: { call } }) });
  const report = expectApiAnswer(host, result, 200);
  if (report === undefined) return 1;
  if (options.json === true) host.out(JSON.stringify(report));
  else testReportInWords(report, host.columns()).forEach((line) => host.out(line));
  return objectsIn(report, "attempts").some(({ verdict }) => verdict === "success") ? 0 : 1;
}

/** If `width` is undefined, nothing is cut. */
export function testReportInWords(report: JsonObject, width: number | undefined): readonly Line[] {
  const attempts = objectsIn(report, "attempts");
  return [
    ...tableLines(COLUMNS, attempts.map(rowOf), width),
    ...excerptLines(attempts, (attempt) => `${fieldOf(attempt, "endpoint")} answered:`),
    "",
    meaningOf(attempts),
  ];
}

function rowOf(attempt: JsonObject): readonly Cell[] {
  const { status, durationMs } = attempt;
  const verdict = fieldOf(attempt, "verdict");
  return [
    fieldOf(attempt, "endpoint"),
    typeof status === "number" ? String(status) : fieldOf(attempt, "fault"),
    typeof durationMs === "number" ? formatDuration(durationMs) : "-",
    { text: verdict, style: styleOf(verdict) },
  ];
}

function meaningOf(attempts: readonly JsonObject[]): string {
  const verdicts = new Set(attempts.map((attempt) => fieldOf(attempt, "verdict")));
  if (verdicts.has("success")) return "a delivery would be delivered: one endpoint has to take it";
  if (verdicts.has("retry")) return "a delivery would be tried again: no endpoint took it";
  if (verdicts.has("local")) return "this says nothing about the receiver: the server's machine has a fault";
  return attempts.every(isFinal)
    ? "a delivery would be dead: every endpoint refused it for good"
    : "a delivery would be tried again until the refusal is final: every endpoint refused it";
}

/** True if the refusal of an attempt is final at once. */
function isFinal({ status }: JsonObject): boolean {
  return typeof status === "number" && isOfOneMessage({ kind: "answered", status });
}
