// Which of many pieces of large work are under way, and which wait: so many at once, so that what all of them have in memory
// is bounded, and the owner with the fewest under way goes first. Beyond what may wait, there is no turn. Arrivals of more
// than one slice, owned by their sources, are such work, and so are large bodies (decision: request cost).

import { MAX_SLICED, MAX_SLICED_AT_ONCE, MAX_SLICED_OF_SOURCE } from "../limits.js";

export interface TurnBounds {
  readonly atOnce: number;
  /** With those that wait. */
  readonly inAll: number;
  readonly ofOwner: number;
}

export interface Turns {
  /** Takes the last place in the queue; undefined where there is none. */
  queue(owner: string): Turn | undefined;
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
  readonly owner: string;
  readonly begin: () => void;
  hasBegun: boolean;
}

const SLICED: TurnBounds = { atOnce: MAX_SLICED_AT_ONCE, inAll: MAX_SLICED, ofOwner: MAX_SLICED_OF_SOURCE };

/** Bounds are those of arrivals if absent. */
export function createTurns({ atOnce, inAll, ofOwner }: TurnBounds = SLICED): Turns {
  const all = new Set<Waiting>();
  let isClosed = false;

  function advance(): void {
    const working = [...all].filter((one) => one.hasBegun);
    const next = working.length < atOnce ? fairest(all, working) : undefined;
    if (next === undefined) return;
    next.hasBegun = true;
    next.begin();
  }

  return {
    queue: (owner) => {
      const own = [...all].filter((one) => one.owner === owner);
      if (isClosed || all.size >= inAll || own.length >= ofOwner) return undefined;
      let place: Waiting | undefined;
      const begins = new Promise<void>((begin) => {
        place = { owner, begin, hasBegun: false };
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

/** Of the owner with the fewest under way, the one that has waited longest. */
function fairest(all: ReadonlySet<Waiting>, working: readonly Waiting[]): Waiting | undefined {
  let best: Waiting | undefined;
  let fewest = Infinity;
  for (const one of all) {
    if (one.hasBegun) continue;
    const busy = working.filter(({ owner }) => owner === one.owner).length;
    if (busy < fewest) [best, fewest] = [one, busy];
  }
  return best;
}
