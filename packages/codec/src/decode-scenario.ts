// Decides whether a value is a scenario for the simulator: shape, then rules. Reports every problem of the shape or, if
// the shape is valid, every broken rule.

import { checkWorkspace, type Problem } from "@postrider/core";
import { isLeft } from "fp-ts/lib/Either.js";
import { buildWorkspace } from "./config/build-workspace.js";
import { explainErrors } from "./config/explain-errors.js";
import type { Decoded } from "./decoded.js";
import { buildScenario } from "./scenario/build-scenario.js";
import type { Scenario, ScenarioStretch } from "./scenario/scenario.js";
import { type ScenarioFile, scenarioFileCodec } from "./scenario/scenario-file.js";

/** The most calls of a scenario. More calls would take hours and gigabytes, and show nothing more. */
const MAX_CALLS = 200_000;
const MAX_DESTINATIONS = 100;

/** Reads the JSON value of a scenario file. */
export function decodeScenario(value: unknown): Decoded<Scenario> {
  const read = scenarioFileCodec.decode(value);
  if (isLeft(read)) return { kind: "refused", problems: explainErrors(read.left) };
  const scenario = buildScenario(read.right);
  const problems = [...checkSettings(read.right), ...checkLoad(scenario), ...checkTimes(read.right, scenario)];
  return problems.length > 0 ? { kind: "refused", problems } : { kind: "ok", value: scenario };
}

/** Core's rules for the settings of the scenario. */
function checkSettings({ destinations, delivery = {} }: ScenarioFile): readonly Problem[] {
  const entries = destinations.map(({ id, receivers }) => ({
    id,
    sources: ["site"],
    endpoints: receivers.map((_, index) => ({ url: `https://receiver.example/${String(index)}` })),
  }));
  const workspace = buildWorkspace({ sources: [{ id: "site", writeKey: "wk" }], destinations: entries, delivery });
  return [
    ...checkWorkspace(workspace).map((problem) => ({
      ...problem,
      path: problem.path.replace(".endpoints", ".receivers"),
    })),
    ...rule(
      destinations.length > 0 && destinations.length <= MAX_DESTINATIONS,
      "destinations",
      "1 to 100 destinations",
    ),
  ];
}

function checkLoad({ load }: Scenario): readonly Problem[] {
  const { calls, overMs, perArrival } = load;
  return [
    ...rule(
      calls >= 1 && calls <= MAX_CALLS,
      "load.callsPerSecond",
      "1 to 200,000 calls in all: fewer calls per second, or an earlier end",
    ),
    ...rule(overMs > 0, "load.until", "a time after the start"),
    ...rule(perArrival >= 1 && perArrival <= 2_500, "load.perArrival", "1 to 2,500 calls"),
  ];
}

function checkTimes(file: ScenarioFile, scenario: Scenario): readonly Problem[] {
  const ids = new Set(file.destinations.map(({ id }) => id));
  const closings = scenario.faults.filter((fault) => fault.kind === "closed");
  const ailments = scenario.faults.filter((fault) => fault.kind === "store");
  const unknown = closings.flatMap(({ destination }, index) =>
    rule(ids.has(destination), `closed[${String(index)}].destination`, "the id of a destination"),
  );
  const spells = file.destinations.flatMap(({ id, receivers }, at) =>
    receivers.flatMap((_, index) =>
      checkStretches(
        scenario.receivers[id]?.[index]?.spells ?? [],
        `destinations[${String(at)}].receivers[${String(index)}].spells`,
      ),
    ),
  );
  const early = scenario.faults.filter((fault) => "atMs" in fault && fault.atMs < 0);
  return [
    ...unknown,
    ...spells,
    ...checkStretches(closings, "closed"),
    ...checkStretches(ailments, "store"),
    ...early.flatMap(({ kind }) => rule(false, kind, "a time after the start")),
  ];
}

function checkStretches(stretches: readonly ScenarioStretch[], path: string): readonly Problem[] {
  return stretches.flatMap(({ fromMs, untilMs }, index) =>
    rule(fromMs >= 0 && untilMs > fromMs, `${path}[${String(index)}]`, "from a time after the start to a later one"),
  );
}

function rule(holds: boolean, path: string, expected: string): readonly Problem[] {
  return holds ? [] : [{ code: "wrong-type", path, expected }];
}
