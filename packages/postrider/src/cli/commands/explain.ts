// postrider explain: says why a delivery is in its state, or where the call with a messageId has gone. The server knows the
// reasons; of a call without a delivery, doctor/ judges what the server has seen.

import type { JsonObject } from "@postrider/core";
import type { Command } from "commander";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { askLatestCalls } from "../calls/list-calls.js";
import { fieldOf } from "../deliveries/delivery-json.js";
import { explanationInWords } from "../deliveries/explanation-in-words.js";
import { listDeliveries } from "../deliveries/list-deliveries.js";
import { diagnoseCall } from "../doctor/diagnose-call.js";
import { isHealthyAnswer, readTraffic } from "../doctor/diagnose.js";
import { readSources } from "../doctor/diagnose-sources.js";
import type { AskApi } from "../doctor/find-failures.js";
import { diagnoseUnstored, filteredInWords } from "../doctor/latest-calls.js";
import type { ExitCode, Host } from "../host.js";
import { type ApiAccess, askApi, readFromApi } from "../requests/ask-api.js";

interface ExplainOptions extends ApiAccess {
  readonly messageId?: string;
  readonly json?: true;
}

/** The most deliveries of one call that are explained. */
const MAX_DELIVERIES = 100;

const EXAMPLES = `
Examples:
  $ postrider explain 42
  $ postrider explain --message-id m1`;

/** Adds the command; `end` gets its exit code. */
export function addExplain(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("explain"))
    .description("Say why a delivery waits or died, or where a call has gone.")
    .argument("[id]", "the delivery, as postrider deliveries lists it")
    .option("--message-id <id>", "every delivery of the call with this messageId")
    .option("--json", "print each explanation as a line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (id: string | undefined, rawOptions: RawOptions<ExplainOptions>, command: Command) => {
      if ((id === undefined) === (rawOptions.messageId === undefined))
        command.error("error: name a delivery, or a call by --message-id");
      const options = { ...rawOptions, ...readAccess(host, command, rawOptions) };
      end(await (id === undefined ? explainCall(host, options) : explainDelivery(host, id, options)));
    });
}

async function explainDelivery(host: Host, id: string, options: ExplainOptions): Promise<ExitCode> {
  const delivery = await readFromApi(host, options, `/api/deliveries/${encodeURIComponent(id)}`);
  return delivery === undefined ? 1 : explainRow(host, delivery, options);
}

async function explainRow(host: Host, delivery: JsonObject, options: ExplainOptions): Promise<ExitCode> {
  const id = fieldOf(delivery, "id");
  const explanation = await readFromApi(host, options, `/api/deliveries/${encodeURIComponent(id)}/why`);
  if (explanation === undefined) return 1;
  if (options.json === true) host.out(JSON.stringify(explanation));
  else explanationInWords(delivery, explanation, host.clock.wall()).forEach((line) => host.out(line));
  return 0;
}

async function explainCall(host: Host, options: ExplainOptions): Promise<ExitCode> {
  const { messageId = "" } = options;
  const rows: JsonObject[] = [];
  const filters = { messageId, limit: MAX_DELIVERIES };
  const outcome = await listDeliveries(host, options, filters, (page) => rows.push(...page));
  if (outcome === undefined) return 1;
  if (rows.length === 0) return explainAbsence(host, options, messageId);
  for (const row of rows) {
    const code = await explainRow(host, row, options);
    if (code !== 0) return code;
  }
  if (options.json !== true) await explainOthers(host, options, messageId);
  if (outcome.next !== undefined) host.err(`more are left: only ${String(MAX_DELIVERIES)} deliveries are explained`);
  return 0;
}

/** The destinations without a delivery, and further calls with the same messageId, as far as the server remembers them. */
async function explainOthers(host: Host, options: ExplainOptions, messageId: string): Promise<void> {
  const calls = await askLatestCalls(createAskApi(host, options), { messageId });
  for (const call of calls ?? []) {
    if (call["outcome"] !== "accepted") continue;
    for (const text of filteredInWords(call)) host.out(`no delivery to ${text}`);
  }
  for (const { text } of diagnoseUnstored(calls ?? [])) host.out(text);
}

/** Asks for a path under `/api/`. */
function createAskApi(host: Host, options: ExplainOptions): AskApi {
  return (path) => askApi(host, options, { method: "GET", path: `/api/${path}` });
}

/** No delivery has this messageId: was the call filtered, or never seen? */
async function explainAbsence(host: Host, options: ExplainOptions, messageId: string): Promise<ExitCode> {
  const get = createAskApi(host, options);
  const query = new URLSearchParams({ messageId }).toString();
  const [seen, deliveries, stats] = [await get(`seen?${query}`), await get(`deliveries?${query}`), await get("stats")];
  const sources = readSources(await get("sources"));
  const calls = await askLatestCalls(get, { messageId });
  const isHealthy = isHealthyAnswer(await askApi(host, options, { method: "GET", path: "/healthz" }));
  const findings = diagnoseCall({
    seen,
    deliveries,
    sources,
    traffic: readTraffic(stats, undefined),
    calls,
    isHealthy,
  });
  for (const { text } of findings) host.out(options.json === true ? JSON.stringify({ messageId, text }) : text);
  return findings.some(({ kind }) => kind === "bad") ? 1 : 0;
}
