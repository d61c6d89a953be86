// Compares what a replayed relay does, step by step, with what the recorded one did, and remembers the first difference. Does not
// know what a step means.

import type { Scribe } from "../format/encode.js";
import { encodeStep } from "../format/write-trace.js";
import type { Step, Turn } from "../turn.js";

/** The first difference: what was expected and what was seen. Either is absent if nothing more was done. */
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
  did(seen: Step): Step | undefined;
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
    begin: (next): void => {
      turn = next;
      cursor = 0;
    },
    turn: () => turn,
    expected,
    did: (step) => {
      if (difference !== undefined) return undefined;
      const recorded = expected();
      // The recorded step was written in the same way.
      const seen = withinKnown(encodeStep(step, scribe) as unknown as Step, recorded);
      cursor += 1;
      if (JSON.stringify(seen) === JSON.stringify(recorded)) return recorded;
      difference = { expected: recorded, seen };
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
 * A reported event without the facts that the version which recorded it did not know: a later version tells more of an event,
 * and has not departed by that. Any other step as it is.
 */
function withinKnown(seen: Step, recorded: Step | undefined): Step {
  if (seen[0] !== "event" || recorded?.[0] !== "event") return seen;
  const [told, known] = [seen[1], recorded[1]];
  if (!isObject(told) || !isObject(known) || told["kind"] !== known["kind"]) return seen;
  const names = Object.keys(known).filter((name) => name in told);
  return ["event", Object.fromEntries(names.map((name) => [name, told[name]]))];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
