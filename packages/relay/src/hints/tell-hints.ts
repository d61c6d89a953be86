// Wakes other processes on the store for what this one does not deliver itself (decision: hints). Bounds how often it tells, and how
// much at once. A hint that fails is no fault: polls find everything.

import type { Cancel, Clock, DestinationId, Hints } from "@postrider/core";
import { HINT_EVERY_MS, MAX_HINTED_LANES } from "../limits.js";

/** Tells others where deliveries wait. */
export interface HintTeller {
  /** To be called when a delivery of this lane can be claimed, and this process does not claim it. */
  readonly note: (lane: DestinationId) => void;
  /** Tells what is noted, and nothing afterwards. */
  stop(): Promise<void>;
  /** To be called instead when this process leaves, after it has given back what it had claimed. */
  leave(): Promise<void>;
}

export interface HintTellerContext {
  readonly clock: Pick<Clock, "after">;
  /** Absent if the store has none: then nothing is told. */
  readonly hints: Hints | undefined;
  /** Whether this process claims what is due itself. */
  readonly delivers: boolean;
}

/** The first note is told at once, and further ones together, at intervals. */
export function createHintTeller({ clock, hints, delivers }: HintTellerContext): HintTeller {
  const noted = new Set<DestinationId>();
  let isAny = false;
  /** One hint at a time is under way. */
  let isTelling = false;
  let cancel: Cancel | undefined;
  let isStopped = hints === undefined;
  let telling = Promise.resolve();

  function tell(): void {
    cancel = undefined;
    if (hints === undefined || !(isAny || noted.size > 0)) return;
    const lanes = isAny ? [] : [...noted];
    noted.clear();
    isAny = false;
    isTelling = true;
    telling = hints
      .tell(lanes)
      .catch(nothing)
      .then(() => {
        isTelling = false;
        if (!isStopped) cancel = clock.after(HINT_EVERY_MS, tell);
      });
  }

  async function stop(): Promise<void> {
    isStopped = true;
    cancel?.();
    await telling;
    tell();
    await telling;
  }

  return {
    note: (lane): void => {
      if (delivers || isStopped) return;
      // Of more lanes than these, others look for themselves.
      if (noted.size < MAX_HINTED_LANES) noted.add(lane);
      else isAny ||= !noted.has(lane);
      if (cancel === undefined && !isTelling) tell();
    },
    stop,
    leave: (): Promise<void> => {
      isAny ||= delivers;
      return stop();
    },
  };
}

function nothing(): void {
  // Others find it at their next poll.
}
