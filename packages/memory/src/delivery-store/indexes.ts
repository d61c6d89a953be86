// The indexes of a delivery store, which spare it scans: deliveries in the order in which they were stored, the unfinished ones of
// a lane by the time from which each can be claimed, and lanes in the order in which they have changed.

import type { DestinationId } from "@postrider/core";
import { createOrderedHeap, type OrderedHeap, type HeapMember } from "../ordered-heap.js";

/** An entry numbered in the order of storing. */
interface NumberedEntry {
  readonly sequence: number;
}

export interface History<T extends NumberedEntry> {
  /** Adds an entry, whose number must be higher than those of all earlier entries. */
  add(entry: T): void;
  /** From now on, `before` does not return the entry. */
  drop(entry: T): void;
  /** The entries that have a number below `sequence`, newest first. */
  before(sequence: number): Iterable<T>;
}

export function createHistory<T extends NumberedEntry>(): History<T> {
  let entries: T[] = [];
  let dropped = new Set<T>();

  return {
    add: (entry): void => {
      entries.push(entry);
    },
    drop: (entry): void => {
      dropped.add(entry);
      if (dropped.size * 2 <= entries.length) return;
      entries = entries.filter((kept) => !dropped.has(kept));
      dropped = new Set();
    },
    *before(sequence): Iterable<T> {
      for (let index = countBefore(entries, sequence) - 1; index >= 0; index -= 1) {
        const entry = entries[index];
        if (entry !== undefined && !dropped.has(entry)) yield entry;
      }
    },
  };
}

/** The number of entries that have a number below `sequence`; found by binary search. */
function countBefore(entries: readonly NumberedEntry[], sequence: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const isBefore = (entries[middle]?.sequence ?? sequence) < sequence;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A delivery, with the fields that its order depends on. */
interface QueuedDelivery extends HeapMember {
  readonly rounds: number;
}

export interface DueQueue<T extends QueuedDelivery> {
  add(delivery: T): void;
  remove(delivery: T): void;
  /** The earliest delivery of both queues. */
  first(): T | undefined;
  readonly untried: OrderedHeap<T>;
  readonly tried: OrderedHeap<T>;
  size(): number;
  /** The deliveries of both queues, in no particular order. */
  members(): readonly T[];
}

export function createDueQueue<T extends QueuedDelivery>(): DueQueue<T> {
  const untried = createOrderedHeap<T>();
  const tried = createOrderedHeap<T>();
  return {
    untried,
    tried,
    add: (delivery): void => {
      (delivery.rounds > 0 ? tried : untried).add(delivery);
    },
    remove: (delivery): void => {
      (tried.members()[delivery.place] === delivery ? tried : untried).remove(delivery);
    },
    first: () => earlier(untried.first(), tried.first()),
    size: () => untried.members().length + tried.members().length,
    members: () => [...untried.members(), ...tried.members()],
  };
}

function earlier<T extends QueuedDelivery>(first: T | undefined, second: T | undefined): T | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  if (first.at !== second.at) return first.at < second.at ? first : second;
  return first.sequence < second.sequence ? first : second;
}

export interface ChangeLog {
  note(lane: DestinationId): void;
  /** The number of the last change. */
  last(): number;
  /** The lanes that have changed after that number, with the number of the last change of each, ascending; undefined if unknown. */
  after(number: number): readonly (readonly [DestinationId, number])[] | undefined;
}

/** The number of lanes that may change between two polls of a relay before it has to read all of them. */
export const MAX_CHANGED_LANES = 100_000;

/** Remembers the last changes of up to `max` lanes. */
export function createChangeLog(max: number): ChangeLog {
  // A lane that changes again is set anew, so that the order of the map is that of the numbers.
  const changed = new Map<DestinationId, number>();
  let last = 0;
  let forgotten = 0;

  function forgetFirst(): void {
    const [first] = changed;
    if (first === undefined) return;
    changed.delete(first[0]);
    forgotten = first[1];
  }

  return {
    note: (lane): void => {
      last += 1;
      changed.delete(lane);
      changed.set(lane, last);
      if (changed.size > max) forgetFirst();
    },
    last: () => last,
    after: (number) =>
      number >= forgotten && number <= last ? [...changed].filter(([, changedIn]) => changedIn > number) : undefined,
  };
}
