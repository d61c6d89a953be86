// Who works off an arrival of more than one slice, and who waits: so many at once, so that what all of them have in memory
// is bounded, and the source that has fewest under way goes first. Beyond what may wait, an arrival has no turn (decision:
// what a request may cost).

import type { SourceId } from "@postrider/core";
import { MAX_SLICED, MAX_SLICED_AT_ONCE, MAX_SLICED_OF_SOURCE } from "../limits.js";

export interface Turns {
  /** Takes the last place in the queue; undefined where there is none. */
  queue(source: SourceId): Turn | undefined;
  /** No turn begins any more, and those that have begun are to end. */
  close(): void;
  isClosed(): boolean;
}

export interface Turn {
  /** Resolves when the turn begins, or none will. */
  readonly begins: Promise<void>;
  /** Gives its place to the next one; to be called once, whether it has begun or not. */
  end(): void;
}

interface Waiting {
  readonly source: SourceId;
  readonly begin: () => void;
  hasBegun: boolean;
}

export function createTurns(): Turns {
  const all = new Set<Waiting>();
  let isClosed = false;

  function advance(): void {
    const working = [...all].filter((one) => one.hasBegun);
    const next = working.length < MAX_SLICED_AT_ONCE ? fairest(all, working) : undefined;
    if (next === undefined) return;
    next.hasBegun = true;
    next.begin();
  }

  return {
    queue: (source) => {
      const own = [...all].filter((one) => one.source === source);
      if (isClosed || all.size >= MAX_SLICED || own.length >= MAX_SLICED_OF_SOURCE) return undefined;
      let place: Waiting | undefined;
      const begins = new Promise<void>((begin) => {
        place = { source, begin, hasBegun: false };
        all.add(place);
      });
      advance();
      return {
        begins,
        end: (): void => {
          if (place !== undefined) all.delete(place);
          advance();
        },
      };
    },
    close: (): void => {
      isClosed = true;
      for (const one of all) one.begin();
    },
    isClosed: () => isClosed,
  };
}

/** Of the source with the fewest under way, the one that has waited longest. */
function fairest(all: ReadonlySet<Waiting>, working: readonly Waiting[]): Waiting | undefined {
  let best: Waiting | undefined;
  let fewest = Infinity;
  for (const one of all) {
    if (one.hasBegun) continue;
    const busy = working.filter(({ source }) => source === one.source).length;
    if (busy < fewest) [best, fewest] = [one, busy];
  }
  return best;
}
