// Compares a replayed relay, step by step, with the recorded one, and says in words where the run first departs from the incident: the step
// of each, and the first value that differs.

import type { Cause, Step, Turn } from "../turn.js";
import type { Scribe } from "../format/encoding.js";
import { encodeStep } from "../format/write-trace.js";

/** The first difference: the expected step and the one in this run. Either is absent if its relay did nothing more. */
export interface Difference {
  readonly expected?: Step | undefined;
  readonly seen?: Step | undefined;
}

export interface Comparison {
  /** Begins to compare with this turn. */
  begin(turn: Turn): void;
  turn(): Turn | undefined;
  /** The step that the incident did next. */
  expected(): Step | undefined;
  /** To be called for each step. Answers the recorded step, or undefined if the run has departed. */
  matchStep(seen: Step): Step | undefined;
  /** To be called when the turn has ended: the incident may have done more. */
  close(): void;
  difference(): Difference | undefined;
}

/** Compares values as this scribe writes them. */
export function createComparison(scribe: Scribe): Comparison {
  let turn: Turn | undefined;
  let cursor = 0;
  let difference: Difference | undefined;

  const expected = (): Step | undefined => turn?.steps[cursor];

  return {
    begin: (nextTurn): void => {
      turn = nextTurn;
      cursor = 0;
    },
    turn: () => turn,
    expected,
    matchStep: (step) => {
      if (difference !== undefined) return undefined;
      const recorded = expected();
      // The recorded step was written in the same way.
      const actual = withRecordedFacts(encodeStep(step, scribe) as unknown as Step, recorded);
      cursor += 1;
      if (JSON.stringify(actual) === JSON.stringify(recorded)) return recorded;
      difference = { expected: recorded, seen: actual };
      return undefined;
    },
    close: (): void => {
      const missing = expected();
      if (missing !== undefined) difference ??= { expected: missing };
    },
    difference: () => difference,
  };
}

/**
 * A reported event without the facts that the recording version did not know: a later version reports more of an event, and has not
 * departed by that. Any other step as it is.
 */
function withRecordedFacts(seen: Step, recorded: Step | undefined): Step {
  if (seen[0] !== "event" || recorded?.[0] !== "event") return seen;
  const [, seenEvent] = seen;
  const [, recordedEvent] = recorded;
  if (!isTree(seenEvent) || !isTree(recordedEvent) || seenEvent["kind"] !== recordedEvent["kind"]) return seen;
  const names = Object.keys(recordedEvent).filter((name) => name in seenEvent);
  return ["event", Object.fromEntries(names.map((name) => [name, seenEvent[name]]))];
}

/** The place where a run departs from the incident. */
export interface Departure {
  /** The segment, and the turn of the segment, both from 0. */
  readonly segment: number;
  readonly turn: number;
  /** The time of it, by the wall clock of the incident, in milliseconds since 1970. */
  readonly wallAt: number;
  /** The step of the incident, as JSON values; absent: there was no further step in this turn. */
  readonly expected?: readonly unknown[];
  /** The step of this run; absent: there was no further step in this turn. */
  readonly seen?: readonly unknown[];
  /** All of it in words, for people. */
  readonly story: string;
}

/** A departure at this turn. */
export function describeDeparture(
  place: Pick<Departure, "segment" | "turn">,
  { wall, cause }: Turn,
  { expected, seen }: Difference,
): Departure {
  const where = `segment ${String(place.segment)}, turn ${String(place.turn)}`;
  const both = `the incident ${stepInWords(expected)}; this run ${stepInWords(seen)}`;
  const difference = expected === undefined || seen === undefined ? undefined : firstDifference(expected, seen);
  const detail = difference === undefined ? "" : `. They differ in ${difference}`;
  return {
    ...place,
    wallAt: wall,
    ...(expected === undefined ? {} : { expected }),
    ...(seen === undefined ? {} : { seen }),
    story: `At ${writeInstant(wall)} (${where}), after ${causeInWords(cause)}: ${both}${detail}.`,
  };
}

function causeInWords(cause: Cause): string {
  switch (cause[0]) {
    case "created":
      return "the relay was created";
    case "answer":
      return `the answer to question ${String(cause[1])}`;
    case "fault":
      return `the fault of question ${String(cause[1])}`;
    case "timer":
      return `timer ${String(cause[1])} fired`;
    case "call":
      return `the host called ${cause[2]}`;
    case "ended":
      return "the store ended";
  }
}

function stepInWords(step: Step | undefined): string {
  if (step === undefined) return "did nothing more";
  switch (step[0]) {
    case "ask":
      return `asked ${step[2]}${subjects(step[3])}`;
    case "timer":
      return `set a timer of ${String(step[2])} ms`;
    case "unit":
      return "drew a random number";
    case "bytes":
      return `drew ${String(step[1].length / 2)} random bytes`;
    case "event":
      return `reported ${kindOf(step[1])}${subjects(step[1])}`;
    case "reply":
      return `answered request ${String(step[1])} of the host`;
  }
}

function kindOf(event: unknown): string {
  return typeof event === "object" && event !== null && "kind" in event ? String(event.kind) : "an event";
}

/** The most deliveries, destinations and URLs that are named. */
const MAX_NAMED = 3;

const NAME_FIELDS: ReadonlySet<string> = new Set(["id", "delivery", "destination", "lane", "url", "messageId"]);

/** The deliveries, destinations and endpoints that a value is about. */
function subjects(value: unknown): string {
  const names = new Set<string>();
  collect(value, names);
  return names.size === 0
    ? ""
    : ` (${[...names].slice(0, MAX_NAMED).join(", ")}${names.size > MAX_NAMED ? ", …" : ""})`;
}

function collect(value: unknown, names: Set<string>): void {
  if (typeof value !== "object" || value === null || names.size > MAX_NAMED) return;
  for (const [key, field] of Object.entries(value)) {
    if (NAME_FIELDS.has(key) && typeof field === "string") names.add(field);
    else collect(field, names);
  }
}

/** The first value in which two steps differ: its path, and both values. */
function firstDifference(expected: unknown, seen: unknown, path = ""): string | undefined {
  if (JSON.stringify(expected) === JSON.stringify(seen)) return undefined;
  const keys = isTree(expected) && isTree(seen) ? Object.keys({ ...expected, ...seen }) : [];
  for (const key of keys) {
    const [first, second] = [expected, seen] as readonly Tree[];
    const difference = firstDifference(first?.[key], second?.[key], path === "" ? key : `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
  return `${path}: ${inBrief(expected)} in the incident, ${inBrief(seen)} in this run`;
}

type Tree = Readonly<Record<string, unknown>>;

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}

const MAX_BRIEF = 80;

function inBrief(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= MAX_BRIEF ? text : `${text.slice(0, MAX_BRIEF)}…`;
}

/** The instant as `2026-01-01T00:00:00.000Z`. */
export function writeInstant(wallAt: number): string {
  return new Date(wallAt).toISOString();
}
