// Decides when an accepted connection begins to be read. Node accepts one connection in each turn of the event loop, oldest
// first: if each were read at once, a call dialled behind a hundred others would wait until all of these are answered. So
// of those that are accepted in a row, a network has only the first few read at once; the others wait until a tick of the
// clock has passed in which none was accepted, and then a few begin in each tick (decision: connections in turns). Knows no
// sockets.

import type { Clock } from "@postrider/core";
import { createConnectionQueue } from "./connection-queue.js";

export interface PacedStarts<Connection> {
  /** Takes in what was accepted now: starts it, or puts it into the queue. */
  enter(connection: Connection, network: string): void;
  /** One that has been closed is not started. */
  leave(connection: Connection): void;
  /** Takes out all that wait. */
  clear(): readonly Connection[];
}

export interface StartLimits {
  /** Connections accepted in a row, after which one is read in any case, and each network may again have some at once. */
  readonly maxAcceptedInRow: number;
  /** Those of them that a network has read at once. */
  readonly maxPromptPerNetwork: number;
  /** Connections of those that wait that are read in one tick. */
  readonly maxStartsPerTick: number;
}

export interface PacedStartsOptions<Connection> {
  readonly limits: StartLimits;
  /** Reads a connection from now on. */
  readonly start: (connection: Connection) => void;
  /** The shortest of its delays is the tick. */
  readonly clock: Pick<Clock, "after">;
}

/** None waits at first. */
export function createPacedStarts<Connection>(options: PacedStartsOptions<Connection>): PacedStarts<Connection> {
  const { limits, start, clock } = options;
  const queue = createConnectionQueue<Connection>();
  /** How many of each network have been accepted in this row. */
  const inRow = new Map<string, number>();
  let accepted = 0;
  let hasAccepted = false;
  let isScheduled = false;
  return {
    enter: (connection, network) => {
      const ofNetwork = (inRow.get(network) ?? 0) + 1;
      inRow.set(network, ofNetwork);
      accepted += 1;
      hasAccepted = true;
      schedule();
      if (ofNetwork <= limits.maxPromptPerNetwork) start(connection);
      else queue.add(connection, network);
    },
    leave: (connection) => queue.remove(connection),
    clear: () => {
      const waiting: Connection[] = [];
      for (let next = queue.next(); next !== undefined; next = queue.next()) waiting.push(next);
      return waiting;
    },
  };

  function schedule(): void {
    if (!isScheduled) clock.after(0, tick);
    isScheduled = true;
  }

  function tick(): void {
    isScheduled = false;
    if (!hasAccepted) startNext(limits.maxStartsPerTick);
    else if (accepted >= limits.maxAcceptedInRow) startNext(1);
    hasAccepted = false;
    if (accepted > 0 || queue.size() > 0) schedule();
  }

  /** Ends the row. */
  function startNext(most: number): void {
    accepted = 0;
    inRow.clear();
    for (let left = most; left > 0; left -= 1) {
      const next = queue.next();
      if (next === undefined) return;
      start(next);
    }
  }
}
