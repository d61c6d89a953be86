// Entries in the order in which they were stored, read backwards from any point. A dropped entry stays in the list until
// more than half of the list is dropped.

/** An entry numbered in the order of storing. */
export interface NumberedEntry {
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

/** How many entries have a number below `sequence`; found by binary search. */
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
