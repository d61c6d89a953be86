// Decides which pieces of large work are under way, and which wait. A limited number runs at once, to bound memory; the
// next piece is from the owner with the fewest under way. If too many wait, a further piece gets no turn. Used for
// arrivals of more than one slice, owned by their sources, and for large bodies (decision: request cost).

import { MAX_SLICED, MAX_SLICED_AT_ONCE, MAX_SLICED_OF_SOURCE } from "../limits.js";

/** The bounds of a `FairQueue`, in pieces of work. */
interface FairQueueBounds {
  /** The number of pieces of work that are under way at once. */
  readonly atOnce: number;
  /** The number of pieces that there may be, including those that wait. */
  readonly inAll: number;
  /** The number of pieces that one owner may have, including those that wait. */
  readonly ofOwner: number;
}

/** A bounded queue of work in which owners take turns. */
export interface FairQueue {
  /**
   * Adds a piece of work of this owner to the queue; undefined if the queue is full, if the owner has its full share,
   * or after `close`.
   */
  queue(owner: string): QueuedTurn | undefined;
  /** From now on no turn begins; turns that have begun should end. */
  close(): void;
  isClosed(): boolean;
}

/** A place in a `FairQueue`. */
export interface QueuedTurn {
  /** Resolves when the turn begins, or when it is certain that the turn will not begin. */
  readonly begins: Promise<void>;
  /** Makes room for the next turn; to be called once, whether this turn has begun or not. */
  end(): void;
}

interface Piece {
  readonly owner: string;
  readonly begin: () => void;
  hasBegun: boolean;
}

const SLICED: FairQueueBounds = { atOnce: MAX_SLICED_AT_ONCE, inAll: MAX_SLICED, ofOwner: MAX_SLICED_OF_SOURCE };

/** Creates an empty queue. If no bounds are given, those of arrivals apply. */
export function createFairQueue({ atOnce, inAll, ofOwner }: FairQueueBounds = SLICED): FairQueue {
  const pieces = new Set<Piece>();
  let isClosed = false;

  function advance(): void {
    const working = [...pieces].filter((piece) => piece.hasBegun);
    const piece = working.length < atOnce ? fairest(pieces, working) : undefined;
    if (piece === undefined) return;
    piece.hasBegun = true;
    piece.begin();
  }

  return {
    queue: (owner) => {
      const piecesOfOwner = [...pieces].filter((piece) => piece.owner === owner);
      if (isClosed || pieces.size >= inAll || piecesOfOwner.length >= ofOwner) return undefined;
      let newPiece: Piece | undefined;
      const begins = new Promise<void>((begin) => {
        newPiece = { owner, begin, hasBegun: false };
        pieces.add(newPiece);
      });
      advance();
      return {
        begins,
        end: (): void => {
          if (newPiece !== undefined) pieces.delete(newPiece);
          advance();
        },
      };
    },
    close: (): void => {
      isClosed = true;
      for (const piece of pieces) piece.begin();
    },
    isClosed: () => isClosed,
  };
}

/** The piece that has waited longest, of the owner with the fewest under way. */
function fairest(pieces: ReadonlySet<Piece>, working: readonly Piece[]): Piece | undefined {
  let best: Piece | undefined;
  let fewest = Infinity;
  for (const piece of pieces) {
    if (piece.hasBegun) continue;
    const busy = working.filter(({ owner }) => owner === piece.owner).length;
    if (busy >= fewest) continue;
    best = piece;
    fewest = busy;
  }
  return best;
}
