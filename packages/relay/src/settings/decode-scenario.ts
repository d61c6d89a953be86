// Decides whether a value is a scenario for the simulator: shape, then rules. Reports every problem of the shape or, if
// the shape is valid, every broken rule. Of a valid file, times become milliseconds since the start; statuses and words
// become behaviours.

import { checkWorkspace, type Problem } from "@postrider/core";
import { isLeft } from "fp-ts/lib/Either.js";
import { parseTimestamp } from "@postrider/core/engine";
import { buildWorkspace } from "./config/build-workspace.js";
import { explainErrors } from "./config/explain-errors.js";
import type { Decoded } from "./decoded.js";
import {
  type Scenario,
  type ScenarioStretch,
  type ScenarioBehaviour,
  type ScenarioFault,
  type ScenarioReceiver,
  type ScenarioFile,
  scenarioFileCodec,
  type BehaviourEntry,
  type ReceiverEntry,
  type StretchEntry,
  TIME_OF_DAY,
} from "./scenario/scenario.js";

const SECOND_MS = 1_000;

const DAY_MS = 86_400_000;

/** The time until a receiver answers or fails, if the file does not give it. */
const DEFAULT_ANSWER_MS = 20;

/** The most calls of a scenario. More calls would take hours and gigabytes, and show nothing more. */
const MAX_CALLS = 200_000;

const MAX_DESTINATIONS = 100;

/** Reads the JSON value of a scenario file. */
export function decodeScenario(value: unknown): Decoded<Scenario> {
  const decoded = scenarioFileCodec.decode(value);
  if (isLeft(decoded)) return { kind: "refused", problems: explainErrors(decoded.left) };
  const scenario = buildScenario(decoded.right);
  const problems = [...checkSettings(decoded.right), ...checkLoad(scenario), ...checkTimes(decoded.right, scenario)];
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
  const unknownDestinations = closings.flatMap(({ destination }, index) =>
    rule(ids.has(destination), `closed[${String(index)}].destination`, "the id of a destination"),
  );
  const spells = file.destinations.flatMap(({ id, receivers }, destination) =>
    receivers.flatMap((_, index) =>
      checkStretches(
        scenario.receivers[id]?.[index]?.spells ?? [],
        `destinations[${String(destination)}].receivers[${String(index)}].spells`,
      ),
    ),
  );
  const earlyFaults = scenario.faults.filter((fault) => "atMs" in fault && fault.atMs < 0);
  return [
    ...unknownDestinations,
    ...spells,
    ...checkStretches(closings, "closed"),
    ...checkStretches(ailments, "store"),
    ...earlyFaults.flatMap(({ kind }) => rule(false, kind, "a time after the start")),
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

function buildScenario(file: ScenarioFile): Scenario {
  const wallAtStart = parseTimestamp(file.start) ?? 0;
  const msSinceStart = (time: string): number => millisecondsSince(wallAtStart, time);
  const overMs = msSinceStart(file.load.until);
  const { callsPerSecond, perArrival = 1 } = file.load;
  return {
    seed: file.seed ?? 1,
    wallAtStart,
    policy: file.delivery ?? {},
    load: { calls: Math.round((callsPerSecond * overMs) / SECOND_MS), overMs, perArrival },
    receivers: Object.fromEntries(
      file.destinations.map(({ id, receivers }) => [
        id,
        receivers.map((receiver) => buildReceiver(receiver, msSinceStart)),
      ]),
    ),
    faults: buildFaults(file, msSinceStart),
  };
}

type MsSinceStart = (time: string) => number;

/** A time of day means its first occurrence at or after the start. */
function millisecondsSince(startAt: number, time: string): number {
  const [, hours, minutes, seconds = "0"] = TIME_OF_DAY.exec(time) ?? [];
  if (hours === undefined) return (parseTimestamp(time) ?? 0) - startAt;
  const timeOfDayMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * SECOND_MS;
  const startTimeOfDayMs = startAt % DAY_MS;
  const untilMs = timeOfDayMs - startTimeOfDayMs;
  return untilMs >= 0 ? untilMs : untilMs + DAY_MS;
}

function buildReceiver(
  { usually = 200, spreadMs = 0, spells = [] }: ReceiverEntry,
  msSinceStart: MsSinceStart,
): ScenarioReceiver {
  return {
    usually: buildBehaviour(usually),
    spreadMs,
    spells: spells.map(({ does, ...stretch }) => ({
      ...buildStretch(stretch, msSinceStart),
      behaviour: buildBehaviour(does),
    })),
  };
}

function buildBehaviour(entry: BehaviourEntry): ScenarioBehaviour {
  if (entry === "hangs") return { kind: "hangs" };
  if (typeof entry === "string") return { kind: "fails", fault: entry, afterMs: DEFAULT_ANSWER_MS };
  if (typeof entry === "number") return { kind: "answers", status: entry, afterMs: DEFAULT_ANSWER_MS };
  const { status, afterMs = DEFAULT_ANSWER_MS, retryAfterSeconds, errors, poisoned, bears } = entry;
  const retryAfter = retryAfterSeconds === undefined ? {} : { retryAfter: String(retryAfterSeconds) };
  const usually = { kind: "answers" as const, status, afterMs, ...retryAfter };
  if (errors === undefined && poisoned === undefined && bears === undefined) return usually;
  const bearing = bears === undefined ? {} : { bears };
  return { kind: "troubled", usually, errors: errors ?? 0, poisoned: poisoned ?? 0, ...bearing };
}

function buildFaults(file: ScenarioFile, msSinceStart: MsSinceStart): readonly ScenarioFault[] {
  const { crashes = [], stops = [], clockSteps = [], store = [], closed = [] } = file;
  return [
    ...crashes.map(({ at, downMs }) => ({ kind: "crash" as const, atMs: msSinceStart(at), downMs })),
    ...stops.map(({ at, downMs }) => ({ kind: "stop" as const, atMs: msSinceStart(at), downMs })),
    ...clockSteps.map(({ at, byMs }) => ({ kind: "clock-step" as const, atMs: msSinceStart(at), byMs })),
    ...store.map(({ ails, ...stretch }) => ({ kind: "store" as const, ails, ...buildStretch(stretch, msSinceStart) })),
    ...closed.map(({ destination, how, ...stretch }) => ({
      kind: "closed" as const,
      destination,
      how,
      ...buildStretch(stretch, msSinceStart),
    })),
  ];
}

function buildStretch({ from, to }: StretchEntry, msSinceStart: MsSinceStart): ScenarioStretch {
  const fromMs = msSinceStart(from);
  const untilMs = msSinceStart(to);
  // A stretch may go over midnight: its end is then a time of day that is earlier than its start.
  return { fromMs, untilMs: untilMs < fromMs && TIME_OF_DAY.test(to) ? untilMs + DAY_MS : untilMs };
}
