// The order in which lanes have changed last, by numbers. What was forgotten is known to be unknown.

import type { DestinationId } from "@postrider/core";

export interface ChangeLog {
  note(lane: DestinationId): void;
  /** The number of the last change. */
  last(): number;
  /** The lanes that have changed after that number, with the number of the last change of each, ascending; undefined if unknown. */
  after(number: number): readonly (readonly [DestinationId, number])[] | undefined;
}

/** How many lanes may change between two polls of a relay before it has to read all of them. */
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
