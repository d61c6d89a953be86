// Wakes other processes on the store for what this one does not deliver itself, and is woken by them (decision: hints). Bounds how often
// it tells, and how much at once. A hint that fails is no fault: polls find everything.

import type { Cancel, Clock, DestinationId, Hints } from "@postrider/core";
import { HINT_EVERY_MS, MAX_HINTED_LANES } from "./limits.js";
import type { SettingsInForce } from "./state/settings-in-force.js";
import type { Lanes } from "./state/lanes.js";

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
  let cancel: Cancel | undefined;
  let isStopped = hints === undefined;
  let telling = Promise.resolve();

  function tell(): void {
    cancel = undefined;
    if (hints === undefined || !(isAny || noted.size > 0)) return;
    telling = hints.tell(isAny ? [] : [...noted]).catch(nothing);
    noted.clear();
    isAny = false;
    if (!isStopped) cancel = clock.after(HINT_EVERY_MS, tell);
  }

  async function stop(): Promise<void> {
    isStopped = true;
    cancel?.();
    tell();
    await telling;
  }

  return {
    note: (lane): void => {
      if (delivers || isStopped) return;
      // Of more lanes than these, others look for themselves.
      if (noted.size < MAX_HINTED_LANES) noted.add(lane);
      else isAny ||= !noted.has(lane);
      if (cancel === undefined) tell();
    },
    stop,
    leave: (): Promise<void> => {
      isAny ||= delivers;
      return stop();
    },
  };
}

/** What is woken by the hints of others. */
export interface HintedContext {
  readonly clock: Pick<Clock, "wall">;
  readonly settings: Pick<SettingsInForce, "destination">;
  readonly lanes: Pick<Lanes, "due">;
  /** Claims what is due. */
  readonly wake: () => void;
  /** Reads the lanes of the store. */
  readonly poll: () => void;
}

export interface HintListener {
  start(): void;
  stop(): Promise<void>;
}

/** Listens to other processes. */
export function createHintListener(
  { clock, settings, lanes, wake, poll }: HintedContext,
  hints: Hints | undefined,
): HintListener {
  let unlisten: (() => void) | undefined;

  function hear(told: readonly DestinationId[]): void {
    if (told.length === 0) {
      poll();
      return;
    }
    const now = clock.wall();
    // Texts of others: a lane that no setting knows is left to polls.
    for (const lane of told) if (settings.destination(lane) !== undefined) lanes.due(lane, now);
    wake();
  }

  return {
    start: (): void => {
      unlisten = hints?.listen(hear);
    },
    stop: (): Promise<void> => {
      unlisten?.();
      return Promise.resolve();
    },
  };
}

function nothing(): void {
  // Others find it at their next poll.
}
