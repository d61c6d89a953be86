// postrider doctor: finds out why calls do not arrive at destinations. Asks a server, without making a call, whether it
// is healthy and knows the key, where calls go, whether any was seen, which receivers fail, and the state of one call.
// The answers are judged in doctor/.

import type { JsonObject } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { Command } from "commander";
import { createHash } from "node:crypto";
import {
  type AccessOptions,
  addAccessOptions,
  readServerUrl,
  readToken,
  findWriteKey,
  TOKEN_WAYS,
  WRITE_KEY_WAYS,
  writeKeyOption,
} from "../access.js";
import { PROGRAM_VERSION } from "../../assembly/program-version.js";
import { askLatestCalls } from "../calls/list-calls.js";
import { bearerHeader, writeKeyHeader, sendJson, type SendResult } from "../requests/ask-api.js";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { sentencesOf } from "../deliveries/explanation-in-words.js";
import {
  diagnoseKey,
  diagnoseServer,
  diagnoseTraffic,
  diagnoseVersion,
  isHealthyAnswer,
  isServer,
  readTraffic,
} from "../doctor/diagnose.js";
import { diagnoseCall, nextIfEmpty } from "../doctor/diagnose-call.js";
import { diagnoseLanes, diagnoseSettings, diagnoseStore } from "../doctor/diagnose-server.js";
import { type ConnectedSource, diagnoseSources, readSources } from "../doctor/diagnose-sources.js";
import { type AskApi, findFailures } from "../doctor/find-failures.js";
import { type Finding, objectOfAnswer } from "../doctor/finding.js";
import { diagnoseUnknownKeys, diagnoseWarnings } from "../doctor/latest-calls.js";
import type { ExitCode, Host } from "../host.js";
import type { Style } from "../terminal/line.js";

interface DoctorOptions {
  readonly url: string;
  readonly writeKey?: string;
  readonly token?: string;
  readonly messageId?: string;
  readonly config?: string;
}

interface RawDoctorOptions extends AccessOptions, Pick<DoctorOptions, "writeKey" | "messageId" | "config"> {}

const EXAMPLES = `
Examples:
  $ postrider doctor
  $ postrider doctor --url http://127.0.0.1:8080 --write-key wk_website --token-file token.txt --message-id m1`;

/** Adds the command; `end` gets its exit code. */
export function addDoctor(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("doctor"))
    .description("Find out why calls do not arrive at destinations.")
    .addOption(writeKeyOption())
    .option("--message-id <id>", "a call, by its messageId: was it accepted, filtered, delivered, or not seen here?")
    .option("--config <file>", "a config, whose store is looked at too, as check --deep does it")
    .addHelpText("after", EXAMPLES)
    .action(async (rawOptions: RawDoctorOptions, command: Command) => {
      const url = readServerUrl(host, command, rawOptions);
      const token = readToken(host, command, rawOptions);
      const writeKey = findWriteKey(host, rawOptions.writeKey);
      const { messageId, config } = rawOptions;
      end(await examine(host, { url, ...defined({ token, writeKey, messageId, config }) }));
    });
}

const STYLES: Readonly<Record<Finding["kind"], Style>> = { ok: "good", bad: "bad", open: "caution" };

async function examine(host: Host, options: DoctorOptions): Promise<ExitCode> {
  const health = await ask(host, `${options.url}/healthz`, "");
  const findings = [
    diagnoseServer(health),
    ...(options.config === undefined ? [] : await diagnoseStore(options.config, host)),
    ...(isServer(health) ? await examineFurther(host, options, isHealthyAnswer(health)) : []),
  ];
  for (const { kind, text } of findings) host.out([{ text: kind.padEnd(4), style: STYLES[kind] }, ` ${text}`]);
  return findings.some(({ kind }) => kind === "bad") ? 1 : 0;
}

/** The key is tried last, since the server remembers a request with a wrong one. */
async function examineFurther(host: Host, options: DoctorOptions, isHealthy: boolean): Promise<readonly Finding[]> {
  const findings = await examineCalls(host, options, isHealthy);
  return [await examineKey(host, options), ...findings];
}

async function examineKey({ clock }: Host, { url, writeKey }: DoctorOptions): Promise<Finding> {
  if (writeKey === undefined) return { kind: "open", text: `whether the write key is known: ${WRITE_KEY_WAYS}` };
  const authorization = writeKeyHeader(writeKey);
  return diagnoseKey(await sendJson({ url: `${url}/v1/batch`, authorization, body: { batch: [] }, clock }));
}

async function examineCalls(
  host: Host,
  { url, writeKey, token, messageId }: DoctorOptions,
  isHealthy: boolean,
): Promise<readonly Finding[]> {
  if (token === undefined) return [{ kind: "open", text: `what the server has seen: ${TOKEN_WAYS}` }];
  const get: AskApi = (path) => ask(host, `${url}/api/${path}`, bearerHeader(token));
  const sources = readSources(await get(`sources${writeKey === undefined ? "" : `?writeKey=${digestOf(writeKey)}`}`));
  const stats = await get("stats");
  const source = writeKey === undefined ? undefined : sources?.[0]?.id;
  const traffic = readTraffic(stats, source);
  const latest = await askLatestCalls(get);
  const sourceCalls = callsOf(latest, source);
  const wallMs = host.clock.wall();
  const failures = await findFailures(get, sources ?? [], wallMs);
  const version = diagnoseVersion(await get("version"), PROGRAM_VERSION);
  const findings = [
    ...version,
    ...diagnoseSettings(await get("settings")),
    ...diagnoseSources(sources ?? []),
    ...diagnoseLanes(await get("lanes"), source === undefined ? undefined : destinationsOf(sources ?? []), wallMs),
    ...diagnoseUnknownKeys(latest),
    ...diagnoseWarnings(sourceCalls),
    ...diagnoseTraffic(stats, traffic, { latest: sourceCalls, isHealthy }),
    ...failures,
  ];
  if (messageId === undefined) return findings;
  const query = new URLSearchParams({ messageId, ...defined({ source }) });
  const seenAnswer = await get(`seen?${query.toString()}`);
  const calls = sourceCalls?.filter((call) => call["messageId"] === messageId);
  const deliveries = await findDeliveries(get, query);
  const why = await explainDeliveries(get, deliveries);
  return [...findings, ...diagnoseCall({ seen: seenAnswer, deliveries, sources, traffic, calls, why, isHealthy })];
}

/** The calls of a source, or all if no source is named. */
function callsOf(
  calls: readonly JsonObject[] | undefined,
  source: string | undefined,
): readonly JsonObject[] | undefined {
  return source === undefined ? calls : calls?.filter((call) => call["source"] === source);
}

function destinationsOf(sources: readonly ConnectedSource[]): ReadonlySet<string> {
  return new Set(
    sources.flatMap(({ destinations }) => destinations.map((destination) => fieldOf(destination, "destination"))),
  );
}

/** The most deliveries of a call that are explained. */
const MAX_EXPLAINED = 100;

/** The sentences about deliveries that have not arrived, by the id of each. */
async function explainDeliveries(get: AskApi, page: SendResult): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = objectsIn(objectOfAnswer(page) ?? {}, "deliveries").filter(({ state }) => state !== "delivered");
  const why = new Map<string, readonly string[]>();
  for (const row of rows.slice(0, MAX_EXPLAINED)) {
    const id = fieldOf(row, "id");
    why.set(id, sentencesOf(objectOfAnswer(await get(`deliveries/${encodeURIComponent(id)}/why`)) ?? {}));
  }
  return why;
}

/** The most pages that are asked for. Each covers 20,000 deliveries if the server has no index for the filter. */
const MAX_PAGES = 50;

/** The first page with a delivery, else the last page. */
async function findDeliveries(get: AskApi, query: URLSearchParams): Promise<SendResult> {
  let page = await get(`deliveries?${query.toString()}`);
  for (let pages = 1; pages < MAX_PAGES; pages += 1) {
    const after = nextIfEmpty(page);
    if (after === undefined) return page;
    page = await get(`deliveries?${new URLSearchParams([...query, ["after", after]]).toString()}`);
  }
  return page;
}

/** The digest of a key, as settings may contain it. Proxies write URLs to logs, so no URL contains the key itself. */
function digestOf(writeKey: string): string {
  return `sha256:${createHash("sha256").update(writeKey).digest("hex")}`;
}

function ask({ clock }: Host, url: string, authorization: string): Promise<SendResult> {
  return sendJson({ url, method: "GET", authorization, clock });
}
