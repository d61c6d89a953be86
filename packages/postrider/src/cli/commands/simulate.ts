// postrider simulate: plays a scenario file in the simulator and prints the report. Nothing is sent or stored; simulated hours
// take seconds.

import type { Scenario } from "@postrider/codec";
import { DEFAULT_DELIVERY, DEFAULT_RETENTION } from "@postrider/core";
import { defined, type UnusualNumber, unusualNumbers } from "@postrider/core/engine";
import { type Command, InvalidArgumentError } from "commander";
import type { ExitCode, Host } from "../host.js";
import { describeProblems } from "../../config/config-problem.js";
import { loadSimulator } from "../simulate/load-simulator.js";
import { readScenario } from "../simulate/read-scenario.js";
import { reportTable } from "../simulate/report-table.js";
import { createProgressLines } from "../simulate/progress-lines.js";

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
  const read = readScenario(file);
  if (read.kind === "refused") {
    for (const line of describeProblems(read.problems, file)) host.err(line);
    return 2;
  }
  for (const { path, effect, change } of unusualNumbersOf(read.scenario)) {
    host.err(`warning: ${path}: ${effect}; ${change} (unusual-number)`);
  }
  try {
    const { simulate } = await loadSimulator();
    const report = await simulate({
      ...read.scenario,
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
