// postrider settings: shows, checks and puts the settings that all servers on a store share, and lists who has changed them.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { InvalidArgumentError, type Command } from "commander";
import { readJsonFile } from "../../config/read-json-file.js";
import { describeProblems } from "../../config/config-problem.js";
import { type AccessOptions, addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { countOf } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { type ApiAccess, askApi, expectApiAnswer, readFromApi, type SendResult } from "../requests/ask-api.js";
import { parseObject } from "../parse-object.js";

type End = (code: ExitCode) => void;

interface PutOptions extends ApiAccess {
  readonly expect: number;
  readonly actor?: string;
}

const NOTES = `
The settings are sources, destinations, delivery, retention and notify, as in a config file, without secrets: a write key is
sha256: and its digest; secrets, header values and URLs with a query are env:POSTRIDER_NAME or file:postrider-secrets/NAME. They are put only
where the config of the server says "settings": "store". Settings with problems change nothing; the exit status is then 2.

Examples:
  $ postrider settings show > settings.json
  $ postrider settings check settings.json
  $ postrider settings put settings.json --expect 7 --actor ann
  $ postrider settings history`;

/** Adds the command and its subcommands; `end` gets the exit code. */
export function addSettings(program: Command, host: Host, end: End): void {
  const settings = program
    .command("settings")
    .description("Show, check and put the settings that all servers on a store share.")
    .addHelpText("after", NOTES);
  addShow(settings, host, end);
  addCheck(settings, host, end);
  addPut(settings, host, end);
  addHistory(settings, host, end);
}

function addShow(settings: Command, host: Host, end: End): void {
  addAccessOptions(settings.command("show"))
    .description("Print the settings as JSON; their revision goes to standard error.")
    .option("--revision <number>", "an earlier revision that is kept", parseRevision)
    .action(async (rawOptions: AccessOptions & { readonly revision?: number }, command: Command) => {
      const query = rawOptions.revision === undefined ? "" : `?revision=${String(rawOptions.revision)}`;
      const answer = await readFromApi(host, readAccess(host, command, rawOptions), `/api/settings${query}`);
      if (answer !== undefined) show(host, answer);
      end(answer === undefined ? 1 : 0);
    });
}

function show(host: Host, answer: JsonObject): void {
  const { owner, revision, actor, inForce, refused } = answer;
  host.out(JSON.stringify(answer["document"], undefined, 2));
  if (owner === "file") {
    host.err("these are the settings of the config file, with secrets hidden; they cannot be put");
    return;
  }
  host.err(`revision ${String(revision)}${typeof actor === "string" ? ` by ${actor}` : ""}`);
  if (inForce !== revision) host.err(`revision ${String(inForce)} is in force on this server`);
  if (isPlainObject(refused)) reportProblems(host, refused, "this server cannot use it");
}

function addCheck(settings: Command, host: Host, end: End): void {
  addAccessOptions(settings.command("check"))
    .description("Ask a server whether it could use the settings of a file; nothing changes.")
    .argument("<file>", "the settings, as JSON")
    .action(async (file: string, rawOptions: AccessOptions, command: Command) => {
      const access = readAccess(host, command, rawOptions);
      const body = readSettings(host, file);
      if (body === undefined) {
        end(2);
        return;
      }
      const answer = await askApi(host, access, { path: "/api/settings/check", body });
      end(judge(host, answer, () => host.out(`${file} is good`)));
    });
}

function addPut(settings: Command, host: Host, end: End): void {
  addAccessOptions(settings.command("put"))
    .description("Put the settings of a file into the store, for all servers on it.")
    .argument("<file>", "the settings, as JSON")
    .requiredOption("--expect <revision>", "the revision that they replace; 0 for the first", parseExpected)
    .option("--actor <name>", "who changes them, for the history")
    .action(async (file: string, rawOptions: RawOptions<PutOptions>, command: Command) =>
      end(await put(host, file, { ...rawOptions, ...readAccess(host, command, rawOptions) })),
    );
}

async function put(host: Host, file: string, options: PutOptions): Promise<ExitCode> {
  const body = readSettings(host, file);
  if (body === undefined) return 2;
  const query = options.actor === undefined ? "" : `?${new URLSearchParams({ actor: options.actor }).toString()}`;
  const headers = { "if-match": `"${String(options.expect)}"` };
  const answer = await askApi(host, options, { method: "PUT", path: `/api/settings${query}`, body, headers });
  return judge(host, answer, ({ revision }) => host.out(`revision ${String(revision)}`));
}

function addHistory(settings: Command, host: Host, end: End): void {
  addAccessOptions(settings.command("history"))
    .description("List the revisions that are kept, the latest first.")
    .option("--json", "print each as a line of JSON")
    .action(async (rawOptions: AccessOptions & { readonly json?: true }, command: Command) => {
      const answer = await readFromApi(host, readAccess(host, command, rawOptions), "/api/settings/history");
      const revisions = answer === undefined ? [] : objectsIn(answer, "revisions");
      for (const entry of revisions) host.out(rawOptions.json === true ? JSON.stringify(entry) : historyLine(entry));
      if (answer !== undefined && revisions.length === 0) host.err("the store has no settings");
      end(answer === undefined ? 1 : 0);
    });
}

function historyLine(entry: JsonObject): string {
  const actor = typeof entry["actor"] === "string" ? `  ${entry["actor"]}` : "";
  return `${fieldOf(entry, "revision").padStart(6)}  ${fieldOf(entry, "changedAt")}${actor}`;
}

/** The object of a file; undefined if it has none, which is reported. */
function readSettings(host: Pick<Host, "err">, file: string): object | undefined {
  const outcome = readJsonFile(file);
  if (outcome.kind === "ok" && typeof outcome.value === "object" && outcome.value !== null) return outcome.value;
  const problems =
    outcome.kind === "refused" ? outcome.problems : [{ code: "wrong-type", path: "", expected: "an object" } as const];
  for (const line of describeProblems(problems, file)) host.err(line);
  return undefined;
}

/** 2 if the settings have problems, which are printed, and 1 for any other refusal. */
function judge(host: Host, result: SendResult, onSuccess: (answer: JsonObject) => void): ExitCode {
  const refusal = result.kind === "answered" && result.status === 422 ? parseObject(result.text) : undefined;
  if (refusal !== undefined) {
    reportProblems(host, refusal, "nothing has changed");
    return 2;
  }
  const answer = expectApiAnswer(host, result, 200);
  if (answer === undefined) return 1;
  onSuccess(answer);
  return 0;
}

function reportProblems(host: Pick<Host, "err">, refusal: JsonObject, conclusion: string): void {
  for (const { path, expected, code } of objectsIn(refusal, "problems"))
    host.err(`${path === "" ? "the settings" : String(path)}: expected ${String(expected)} (${String(code)})`);
  const more = Number(refusal["more"]);
  if (more > 0) host.err(`${countOf(more, "more problem is", "more problems are")} not shown`);
  host.err(`postrider: ${conclusion}`);
}

function parseRevision(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected the number of a revision, such as 7.");
}

function parseExpected(text: string): number {
  return text === "0" ? 0 : parseRevision(text);
}
