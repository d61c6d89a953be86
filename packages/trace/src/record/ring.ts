// The segments that are kept, bounded in bytes: the oldest is dropped once all together are too large. Decides when another
// relay should take over, so that there is a further segment. Does not know what a segment holds.

import { inLaterTurn } from "../later-turn.js";
import type { LiveSegment } from "./segment.js";

/** A segment is renewed when it has this share of the ring: then a ring has at least three whole ones. */
const SHARE = 4;
/** If a segment cannot be renewed, it is tried again when it has grown by this share of the ring. */
const FURTHER_SHARE = 64;

export interface Ring {
  add(segment: LiveSegment): void;
  /** To be called when a segment has grown. */
  grown(of: () => LiveSegment, weight: number): void;
  /** The kept segments, the oldest first. */
  segments(): readonly LiveSegment[];
}

/** An empty ring of at most about `maxBytes`. */
export function createRing(maxBytes: number): Ring {
  let segments: LiveSegment[] = [];
  let renewAt = Infinity;

  function renew(segment: LiveSegment): void {
    inLaterTurn(() => {
      if (segments.at(-1) === segment) segment.owner.renew();
    });
  }

  function dropOldest(): void {
    let left = segments.reduce((sum, one) => sum + one.weight(), 0);
    while (left > maxBytes) {
      const [oldest, ...others] = segments;
      if (oldest === undefined) return;
      left -= oldest.weight();
      oldest.drop();
      // A segment that could not be renewed in time: nothing is recorded until it can be.
      if (others.length === 0) return;
      segments = others;
    }
  }

  return {
    add: (segment): void => {
      segments.push(segment);
      renewAt = maxBytes / SHARE;
    },
    grown: (of, weight): void => {
      if (weight < renewAt) return;
      const segment = of();
      if (segment !== segments.at(-1)) return;
      renewAt = weight + maxBytes / FURTHER_SHARE;
      dropOldest();
      renew(segment);
    },
    segments: () => segments.filter((one) => one.turns.length > 0),
  };
}
