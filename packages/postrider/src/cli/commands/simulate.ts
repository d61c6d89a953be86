// postrider simulate: plays a scenario file in the simulator and prints progress and the report. Nothing is sent or stored. Loads
// the simulator only when a scenario is played, since a server is installed without it.

import { decodeScenario, type Scenario } from "@postrider/relay/settings";
import { DEFAULT_DELIVERY, DEFAULT_RETENTION } from "@postrider/core";
import { defined, formatDuration, type UnusualNumber, unusualNumbers } from "@postrider/core/engine";
import type { DeliveryTotals, simulate, SimulationProgress, SimulationReport } from "@postrider/simulator";
import { type Command, InvalidArgumentError } from "commander";
import { PROGRAM_VERSION } from "../../assembly/program-version.js";
import { type ConfigProblem, describeProblems } from "../../config/config-problem.js";
import { readJsonFile } from "../../config/read-json-file.js";
import { countOf } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import type { Line } from "../terminal/line.js";
import { tableLines } from "../terminal/table.js";

const SIMULATOR = "@postrider/simulator";

/** The time before the first line, and between two lines. */
const EVERY_MS = 2_000;

const COLUMNS = [
  "destination",
  "deliveries",
  "delivered",
  "dead",
  "requests",
  "per delivery",
  "p50",
  "p99",
  "slowest",
].map((heading) => ({ heading }));

interface SimulateOptions {
  readonly seed?: number;
  readonly json?: true;
}

const EXAMPLES = `
Example, an outage over noon:
  $ postrider simulate outage.json
  {
    "start": "2026-01-31T09:30:00Z",
    "load": { "callsPerSecond": 2, "until": "13:00" },
    "delivery": { "maxRetryMs": 600000 },
    "destinations": [
      {
        "id": "crm",
        "receivers": [{ "spreadMs": 80, "spells": [{ "from": "10:00", "to": "12:30", "does": 503 }] }]
      }
    ],
    "crashes": [{ "at": "11:00", "downMs": 60000 }]
  }

A receiver does a status, a fault such as connection-refused, "hangs", or
{ "status": 429, "afterMs": 50, "retryAfterSeconds": 30 }. There are also "stops", "clockSteps", "store" and "closed".

This command needs the package @postrider/simulator, installed beside postrider.`;

/** Adds the command; `end` gets its exit code. */
export function addSimulate(program: Command, host: Host, end: (code: ExitCode) => void): void {
  program
    .command("simulate")
    .description("Play a scenario against the delivery policy, and print a report.")
    .argument("<file>", "the scenario, as JSON")
    .option("--seed <number>", "the seed of all random choices", parseSeed)
    .option("--json", "print the report as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (file: string, options: SimulateOptions) => end(await runSimulate(host, file, options)));
}

async function runSimulate(host: Host, file: string, { seed, json }: SimulateOptions): Promise<ExitCode> {
  const outcome = readScenario(file);
  if (outcome.kind === "refused") {
    for (const line of describeProblems(outcome.problems, file)) host.err(line);
    return 2;
  }
  for (const { path, effect, change } of unusualNumbersOf(outcome.scenario)) {
    host.err(`warning: ${path}: ${effect}; ${change} (unusual-number)`);
  }
  try {
    const { simulate } = await loadSimulator();
    const report = await simulate({
      ...outcome.scenario,
      ...defined({ seed }),
      onProgress: createProgressLines(host),
    });
    const lines = json === true ? [JSON.stringify(report, null, 2)] : reportTable(report);
    lines.forEach((line) => host.out(line));
    return 0;
  } catch (error) {
    host.err(`postrider: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

function unusualNumbersOf({ policy }: Scenario): readonly UnusualNumber[] {
  return unusualNumbers({ delivery: { ...DEFAULT_DELIVERY, ...policy }, retention: DEFAULT_RETENTION });
}

function parseSeed(text: string): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text)) return value;
  throw new InvalidArgumentError("Expected a whole number.");
}

interface Simulator {
  readonly simulate: typeof simulate;
}

/** Rejects with an `Error` that names the package to install if it cannot be loaded. */
async function loadSimulator(): Promise<Simulator> {
  try {
    return await import("@postrider/simulator");
  } catch (error) {
    throw new Error(adviceFor(error), { cause: error });
  }
}

/** Says what is wrong and what to do. All packages of Postrider have the same version. */
function adviceFor(error: unknown): string {
  const fault = isAbsent(error) ? "is not installed" : `cannot be loaded (${messageOf(error)})`;
  return `${SIMULATOR} ${fault}: run npm install ${SIMULATOR}@${PROGRAM_VERSION}`;
}

/** Node quotes the package that it did not find, which may also be a dependency of the simulator. */
function isAbsent(error: unknown): boolean {
  const isNotFound = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  return isNotFound && error.message.includes(`'${SIMULATOR}'`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type ReadScenarioResult =
  | { readonly kind: "ok"; readonly scenario: Scenario }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[] };

function readScenario(file: string): ReadScenarioResult {
  const raw = readJsonFile(file);
  if (raw.kind === "refused") return raw;
  const decoded = decodeScenario(raw.value);
  return decoded.kind === "refused" ? decoded : { kind: "ok", scenario: decoded.value };
}

function createProgressLines({ clock, err }: Pick<Host, "clock" | "err">): (progress: SimulationProgress) => void {
  let writtenAt: number = clock.monotonic();
  return ({ elapsedMs, ofMs, calls, finished }) => {
    if (clock.monotonic() - writtenAt < EVERY_MS) return;
    writtenAt = clock.monotonic();
    err(
      `${formatDuration(elapsedMs)} of ${formatDuration(ofMs)}: ${countOf(calls, "call")}, ${countOf(finished, "delivery", "deliveries")} finished`,
    );
  };
}

function reportTable(report: SimulationReport): readonly Line[] {
  const { destinations, total, peakWaiting, processes, durationMs, seed, trace } = report;
  const rows = [...Object.entries(destinations).map(([name, totals]) => rowOf(name, totals)), rowOf("all", total)];
  return [
    ...tableLines(COLUMNS, rows),
    "",
    ...Object.entries(destinations).map(([name, totals]) => `${name}: ${burdenOf(totals)}`),
    "",
    `${countOf(report.calls, "call")}, at most ${countOf(peakWaiting, "delivery", "deliveries")} waiting, ${countOf(processes, "process", "processes")}, ${formatDuration(durationMs)} of simulated time`,
    `seed ${String(seed)}, trace ${trace}`,
  ];
}

function rowOf(name: string, totals: DeliveryTotals): readonly string[] {
  const { deliveries, delivered, dead, requests, requestsPerDelivery, lagMs } = totals;
  const deaths = Object.entries(dead).map(([reason, count]) => `${formatWhole(count)} ${reason}`);
  const lags = lagMs === null ? ["", "", ""] : [lagMs.p50, lagMs.p99, lagMs.max].map(formatDuration);
  return [
    name,
    formatWhole(deliveries),
    formatWhole(delivered),
    deaths.join(", ") || "0",
    formatWhole(requests),
    requestsPerDelivery.toFixed(2),
    ...lags,
  ];
}

/** All times are from the start of the scenario. */
function burdenOf({ worstSecond, heldMs, waitedForProbe, backlogGoneAtMs }: DeliveryTotals): string {
  const worst =
    worstSecond === null
      ? "no request"
      : `at most ${countOf(worstSecond.requests, "request")} in a second, after ${formatDuration(worstSecond.atMs)}`;
  const hold =
    heldMs === 0 ? "never held" : `held for ${formatDuration(heldMs)}, ${percent(waitedForProbe)} waited for a probe`;
  const backlog = backlogGoneAtMs === null ? "no backlog" : `backlog gone after ${formatDuration(backlogGoneAtMs)}`;
  return `${worst}; ${hold}; ${backlog}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.01 ? 2 : 0)} %`;
}

function formatWhole(count: number): string {
  return count.toLocaleString("en");
}
