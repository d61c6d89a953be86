// An entry: one unfinished delivery, counted in its lane. Only the store has the true counts. An entry ends
// once, when its delivery is finished or was not stored, and stays while the delivery waits for another round. A slot
// is separate: it ends with each round.

import type { Lane } from "./lane.js";

/**
 * Only the functions of this file read or change an entry. It has no methods, to save memory: each unfinished delivery has an
 * entry.
 */
export interface LaneEntry {
  readonly lane: Lane;
  readonly bytes: number;
  isOpen: boolean;
}

/** The entry of a delivery that is about to be stored. */
export interface NewEntry extends LaneEntry {
  /** The poll whose counts the lane had when the entry was added. */
  readonly countsFrom: Lane["countsFrom"];
}

/** Counts a delivery that is about to be stored. */
export function addEntry(lane: Lane, bytes: number, poll: number): NewEntry {
  lane.grownInPoll = poll;
  lane.deliveries += 1;
  lane.bytes += bytes;
  return { lane, bytes, countsFrom: lane.countsFrom, isOpen: true };
}

/** The entry of a delivery that is in the store, and so is already counted. */
export function storedEntry(lane: Lane, bytes: number): LaneEntry {
  return { lane, bytes, isOpen: true };
}

/** Ends the entry: the delivery is finished. */
export function finishEntry(entry: LaneEntry): void {
  end(entry);
  uncount(entry);
}

/** Ends the entry: the delivery was not stored. */
export function withdrawEntry(entry: NewEntry): void {
  end(entry);
  // If a poll has replaced the counts since the entry was added, the new counts never included the delivery: nothing is subtracted.
  if (entry.lane.countsFrom === entry.countsFrom) uncount(entry);
}

/** Not below 0: a delivery that another process stored, or a replay, may end before a poll has counted it, or its bytes. */
function uncount({ lane, bytes }: LaneEntry): void {
  lane.deliveries = Math.max(0, lane.deliveries - 1);
  lane.bytes = Math.max(0, lane.bytes - bytes);
}

function end(entry: LaneEntry): void {
  if (!entry.isOpen) throw new Error("bug: an entry of a lane ends twice");
  entry.isOpen = false;
}
