// An entry: one unfinished delivery in the counts of its lane. (The true counts are in the store.) It ends once, when the
// delivery is finished or turns out not to be stored. If the delivery goes on waiting, the entry does not end, and the
// counts stay. It is separate from the slot, which is about the receiver.

import type { Lane } from "./lane.js";

export interface LaneEntry {
  /** The delivery is finished. */
  finished(): void;
}

export interface NewEntry extends LaneEntry {
  /** The delivery was not stored. */
  notStored(): void;
}

/** Counts a delivery that is about to be stored. */
export function addEntry(lane: Lane, bytes: number, poll: number): NewEntry {
  lane.grownInPoll = poll;
  lane.deliveries += 1;
  lane.bytes += bytes;
  const { countsFrom } = lane;
  const end = endOnce();
  return {
    finished: (): void => {
      end();
      uncount(lane, bytes);
    },
    notStored: (): void => {
      end();
      // Counts that the store has answered since then do not include this delivery.
      if (lane.countsFrom === countsFrom) uncount(lane, bytes);
    },
  };
}

/** The entry of a delivery that the store has, and so counts. */
export function storedEntry(lane: Lane, bytes: number): LaneEntry {
  const end = endOnce();
  return {
    finished: (): void => {
      end();
      uncount(lane, bytes);
    },
  };
}

function uncount(lane: Lane, bytes: number): void {
  lane.deliveries -= 1;
  lane.bytes -= bytes;
}

function endOnce(): () => void {
  let isOpen = true;
  return (): void => {
    if (!isOpen) throw new Error("bug: an entry of a lane ends twice");
    isOpen = false;
  };
}
