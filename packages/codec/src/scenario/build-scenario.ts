// Makes a scenario from a file of valid shape: times become milliseconds since the start; statuses and words become
// behaviours. Checks nothing.

import { parseTimestamp } from "@postrider/core/engine";
import type { Scenario, ScenarioBehaviour, ScenarioFault, ScenarioReceiver, ScenarioStretch } from "./scenario.js";
import {
  type BehaviourEntry,
  type ReceiverEntry,
  type ScenarioFile,
  type StretchEntry,
  TIME_OF_DAY,
} from "./scenario-file.js";

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** The time until a receiver answers or fails, if the file does not give it. */
const DEFAULT_ANSWER_MS = 20;

export function buildScenario(file: ScenarioFile): Scenario {
  const wallAtStart = parseTimestamp(file.start) ?? 0;
  const since = (time: string): number => millisecondsSince(wallAtStart, time);
  const overMs = since(file.load.until);
  const { callsPerSecond, perArrival = 1 } = file.load;
  return {
    seed: file.seed ?? 1,
    wallAtStart,
    policy: file.delivery ?? {},
    load: { calls: Math.round((callsPerSecond * overMs) / SECOND_MS), overMs, perArrival },
    receivers: Object.fromEntries(
      file.destinations.map(({ id, receivers }) => [id, receivers.map((one) => buildReceiver(one, since))]),
    ),
    faults: buildFaults(file, since),
  };
}

type Since = (time: string) => number;

/** A time of day means its first occurrence at or after the start. */
function millisecondsSince(startAt: number, time: string): number {
  const [, hours, minutes, seconds = "0"] = TIME_OF_DAY.exec(time) ?? [];
  if (hours === undefined) return (parseTimestamp(time) ?? 0) - startAt;
  const ofDayMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * SECOND_MS;
  const startOfDayMs = startAt % DAY_MS;
  return ofDayMs >= startOfDayMs ? ofDayMs - startOfDayMs : ofDayMs + DAY_MS - startOfDayMs;
}

function buildReceiver({ usually = 200, spreadMs = 0, spells = [] }: ReceiverEntry, since: Since): ScenarioReceiver {
  return {
    usually: buildBehaviour(usually),
    spreadMs,
    spells: spells.map(({ does, ...stretch }) => ({
      ...buildStretch(stretch, since),
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

function buildFaults(file: ScenarioFile, since: Since): readonly ScenarioFault[] {
  const { crashes = [], stops = [], clockSteps = [], store = [], closed = [] } = file;
  return [
    ...crashes.map(({ at, downMs }) => ({ kind: "crash" as const, atMs: since(at), downMs })),
    ...stops.map(({ at, downMs }) => ({ kind: "stop" as const, atMs: since(at), downMs })),
    ...clockSteps.map(({ at, byMs }) => ({ kind: "clock-step" as const, atMs: since(at), byMs })),
    ...store.map(({ ails, ...stretch }) => ({ kind: "store" as const, ails, ...buildStretch(stretch, since) })),
    ...closed.map(({ destination, how, ...stretch }) => ({
      kind: "closed" as const,
      destination,
      how,
      ...buildStretch(stretch, since),
    })),
  ];
}

function buildStretch({ from, to }: StretchEntry, since: Since): ScenarioStretch {
  const fromMs = since(from);
  const untilMs = since(to);
  // A stretch may go over midnight: its end is then a time of day that is earlier than its start.
  return { fromMs, untilMs: untilMs < fromMs && TIME_OF_DAY.test(to) ? untilMs + DAY_MS : untilMs };
}
