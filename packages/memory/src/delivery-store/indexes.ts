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
  /** Removes the entry: `before` does not return it any more. */
  drop(entry: T): void;
  /** The entries that have a number below `sequence`, newest first. */
  before(sequence: number): Iterable<T>;
}

export function createHistory<T extends NumberedEntry>(): History<T> {
  let entries: T[] = [];
  let droppedEntries = new Set<T>();

  return {
    add: (entry): void => {
      entries.push(entry);
    },
    drop: (entry): void => {
      droppedEntries.add(entry);
      if (droppedEntries.size * 2 <= entries.length) return;
      entries = entries.filter((candidate) => !droppedEntries.has(candidate));
      droppedEntries = new Set();
    },
    *before(sequence): Iterable<T> {
      for (let index = countBefore(entries, sequence) - 1; index >= 0; index -= 1) {
        const entry = entries[index];
        if (entry !== undefined && !droppedEntries.has(entry)) yield entry;
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

/** The fields of a delivery that its queue and its order there depend on. */
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
    // Found by its place, since `rounds` may have changed after it was added.
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
  lastNumber(): number;
  /** The lanes that have changed after the change `number`, each with its last change, ascending; undefined if not all are known. */
  after(number: number): readonly (readonly [DestinationId, number])[] | undefined;
}

/** The number of lanes that may change between two polls of a relay before it has to read all of them. */
export const MAX_CHANGED_LANES = 100_000;

/** Remembers the last changes of up to `max` lanes. */
export function createChangeLog(max: number): ChangeLog {
  // A lane that changes again is set anew, so that the order of the map is that of the numbers.
  const changeByLane = new Map<DestinationId, number>();
  let lastNumber = 0;
  let forgottenUpTo = 0;

  function forgetOldest(): void {
    const [oldest] = changeByLane;
    if (oldest === undefined) return;
    const [lane, change] = oldest;
    changeByLane.delete(lane);
    forgottenUpTo = change;
  }

  return {
    note: (lane): void => {
      lastNumber += 1;
      changeByLane.delete(lane);
      changeByLane.set(lane, lastNumber);
      if (changeByLane.size > max) forgetOldest();
    },
    lastNumber: () => lastNumber,
    after: (number) =>
      number >= forgottenUpTo && number <= lastNumber
        ? [...changeByLane].filter(([, change]) => change > number)
        : undefined,
  };
}
