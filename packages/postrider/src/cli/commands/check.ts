// postrider check: reports the problems and warnings of a config, which it reads as `serve` does. With --deep it also looks at the
// store, the clock of this machine and the receivers. Starts nothing and writes no file.

import type { Config, ServerSettings } from "@postrider/relay/settings";
import { errorDocs } from "@postrider/core/engine";
import { inspectStore } from "@postrider/sqlite/file";
import type { Command } from "commander";
import { execFile } from "node:child_process";
import { recipientOfDestination, recipientOfHook } from "../../config/recipient.js";
import { configWarnings } from "../../config/config-warnings.js";
import { type PlacedOrigin, probeOrigins } from "../../config/probe-origins.js";
import { readConfig, type ReadConfigResult } from "../../config/read-config.js";
import {
  type CheckFinding,
  exitCodeOf,
  problemFinding,
  tableOf,
  warningFinding,
  writeJsonLines,
  writeLines,
} from "../check/check-finding.js";
import { checkStore, CLOCK_TOLERANCE_MS } from "../check/check-store.js";
import { countOf } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { addConfigOption } from "../options.js";
import { createProgressDisplay } from "../progress-display.js";
import type { Line } from "../terminal/line.js";

interface CheckOptions {
  readonly config: string;
  readonly strict?: boolean;
  readonly deep?: boolean;
  readonly json?: boolean;
}

/** Origins that are probed; the others are reported as not checked. */
const MAX_PROBED_ORIGINS = 500;

/** The time in which the system has to report whether its clock is synchronised, in milliseconds. */
const CLOCK_LIMIT_MS = 2_000;

/** This code did not exist before 2026, so an earlier date is wrong. */
const EARLIEST_AT = Date.UTC(2026, 0, 1);

/** An API that is off may be meant, so this is no warning. */
const NO_TOKEN: CheckFinding = {
  kind: "note",
  code: "no-api-token",
  path: "apiToken",
  message: "there is none, so the API and the commands that use it are off",
};

const NOTES = `
Exit status:
  0  the config is good; with --strict, there are no warnings either
  1  with --deep: the store, a receiver or the clock has a fault
  2  the config is refused; with --strict, there are warnings

Examples:
  $ postrider check --config postrider.json
  $ postrider check --config postrider.json --strict --deep`;

/** Adds the command; `end` gets its exit code. */
export function addCheck(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addConfigOption(program.command("check"))
    .description("Report everything that is wrong with a config, and what is probably not meant.")
    .option("--strict", "exit with status 2 if there are warnings")
    .option("--deep", "also look at the store, the names, the certificates and the clock; sends no HTTP request")
    .option("--json", "write a line of JSON for each finding to standard output")
    .addHelpText("after", NOTES)
    .action(async (options: CheckOptions) => end(await check(host, options)));
}

async function check(
  host: Host,
  { config: file, strict = false, deep = false, json = false }: CheckOptions,
): Promise<ExitCode> {
  const outcome = readConfig(file, (name) => host.env(name));
  const configFindings = findingsOf(outcome);
  if (!json) writeLines(configFindings, file, host);
  const allDeepFindings = deep && outcome.kind === "ok" ? await checkDeeply(outcome.config, host) : [];
  const deepFindings = allDeepFindings.filter(
    (finding) => !configFindings.some(({ code, path }) => isSame(finding, { code, path })),
  );
  const findings = [...configFindings, ...deepFindings];
  if (json) writeJsonLines(findings, host);
  else writeSummary(host, file, { findings, table: tableOf(deepFindings) });
  if (!json && outcome.kind === "refused") host.err(`what each code means: ${errorDocs("the-config")}`);
  return exitCodeOf(findings, strict);
}

function findingsOf(result: ReadConfigResult): readonly CheckFinding[] {
  if (result.kind === "refused") return result.problems.map(problemFinding);
  const warnings = configWarnings(result.config).map(warningFinding);
  return result.config.server.apiToken === undefined ? [...warnings, NO_TOKEN] : warnings;
}

/** True for a finding that the config has too: an address in a URL is known to be forbidden without a look-up. */
function isSame(finding: CheckFinding, { code, path }: Pick<CheckFinding, "code" | "path">): boolean {
  return finding.code === code && finding.path === path;
}

interface Summary {
  readonly findings: readonly CheckFinding[];
  readonly table: readonly Line[];
}

function writeSummary(host: Host, file: string, { findings, table }: Summary): void {
  if (findings.some(({ kind }) => kind === "problem")) return;
  for (const row of table) host.out(row);
  const count = (kind: CheckFinding["kind"]): number => findings.filter((finding) => finding.kind === kind).length;
  const [warnings, faults] = [count("warning"), count("fault")];
  const parts = [...amount(warnings, "warning"), ...amount(faults, "fault")];
  host.out(
    parts.length === 0
      ? `${file} is good`
      : `${file} is ${faults === 0 ? "good" : "valid"}, with ${parts.join(" and ")}`,
  );
}

function amount(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [countOf(count, what)];
}

/** All findings, the good ones too. Sends no HTTP request and writes no file. */
async function checkDeeply(config: Config, host: Host): Promise<readonly CheckFinding[]> {
  const storeFindings = await checkStore(config.server.store, host);
  const clockFindings = await checkClock(config.server.store, host);
  return [...storeFindings, ...clockFindings, ...(await checkEndpoints(config, host))];
}

/** Looks for signs that the clock of this machine is wrong. Asks no server for the time. */
export async function checkClock(
  store: ServerSettings["store"],
  { clock }: Pick<Host, "clock">,
): Promise<readonly CheckFinding[]> {
  const wallMs = clock.wall();
  const time = `it is ${new Date(wallMs).toISOString()} on this machine`;
  if (wallMs < EARLIEST_AT) return [finding("fault", "clock-wrong", `${time}, which is too early; set the clock`)];
  const writtenAt = writtenAtOf(store);
  if (writtenAt > wallMs + CLOCK_TOLERANCE_MS) {
    const message = `${time}, but the store was written at ${new Date(writtenAt).toISOString()}; set the clock`;
    return [finding("fault", "clock-wrong", message)];
  }
  return [judgeSynchronised(time, await askSystem())];
}

function writtenAtOf(store: ServerSettings["store"]): number {
  const inspected = store.kind === "sqlite" ? inspectStore(store.path) : undefined;
  return inspected?.kind === "ok" ? Math.floor(inspected.store.writtenAt ?? 0) : 0;
}

/** True if the system reports that its clock is synchronised; undefined if it reports nothing. */
function askSystem(): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const words = ["show", "--property=NTPSynchronized", "--value"];
    execFile("timedatectl", words, { timeout: CLOCK_LIMIT_MS }, (error, stdout) => {
      resolve(error === null ? stdout.trim() === "yes" : undefined);
    });
  });
}

function judgeSynchronised(time: string, isSynchronised: boolean | undefined): CheckFinding {
  if (isSynchronised === true) return finding("ok", "clock-synchronised", `${time}; the clock is synchronised`);
  if (isSynchronised === undefined) {
    return finding("note", "clock-unknown", `${time}; this system does not say whether its clock is synchronised`);
  }
  return {
    ...finding("warning", "clock-free", `${time}; the clock is not synchronised`),
    change: "run an NTP client",
  };
}

function finding(kind: CheckFinding["kind"], code: string, message: string): CheckFinding {
  return { kind, code, path: "clock", message };
}

/** Probes each origin of the config once, with progress: a finding for each. */
async function checkEndpoints(config: Config, host: Host): Promise<readonly CheckFinding[]> {
  const allOrigins = originsOf(config);
  const origins = allOrigins.slice(0, MAX_PROBED_ORIGINS);
  const { clock } = host;
  const { network } = config.server;
  const display = createProgressDisplay(host);
  const onProbed = (done: number): void => display.show({ doing: "probing receivers", done, total: origins.length });
  const findings = await probeOrigins(origins, { clock, network, showsAddresses: true, onProbed });
  display.clear();
  return allOrigins.length === origins.length
    ? findings
    : [...findings, notChecked(allOrigins.length - origins.length)];
}

/** Each origin with the path of the first endpoint that has it. */
function originsOf({ workspace }: Config): readonly PlacedOrigin[] {
  const recipients = [
    ...workspace.destinations.map(recipientOfDestination),
    ...(workspace.notify ?? []).map(recipientOfHook),
  ];
  const origins = recipients.flatMap(({ endpoints }) =>
    endpoints.map(({ url, path }) => ({ url: new URL(url).origin, path: `${path}.url` })),
  );
  const firstByUrl = new Map(origins.toReversed().map((origin) => [origin.url, origin]));
  return origins.filter((origin) => firstByUrl.get(origin.url) === origin);
}

function notChecked(count: number): CheckFinding {
  return {
    kind: "note",
    code: "not-checked",
    path: "destinations",
    message: `${countOf(count, "more origin was", "more origins were")} not checked`,
  };
}
