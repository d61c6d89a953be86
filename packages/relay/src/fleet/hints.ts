// Listens to the hints of other processes, and tells them of deliveries that this one leaves to them (decision: hints). A
// hint is taken for nothing more than a reason to look, and one that fails is no fault: polls find everything.

import type { Cancel, Clock, DestinationId, Hints } from "@postrider/core";
import { HINTED_POLL_EVERY_MS, HINT_EVERY_MS, MAX_HINTED_LANES } from "../limits.js";
import type { Lanes } from "../lanes/lanes.js";
import type { SettingsInForce } from "../settings-in-force.js";

/** Needed to act on the hints of other processes. */
interface HintedContext {
  readonly clock: Pick<Clock, "wall" | "after">;
  readonly settings: Pick<SettingsInForce, "destination">;
  readonly lanes: Pick<Lanes, "due">;
  /** Claims due deliveries. */
  readonly wake: () => void;
  /** Reads the lanes of the store. */
  readonly poll: () => void;
}

interface HintListener {
  start(): void;
  stop(): Promise<void>;
}

/** Listens to other processes. */
export function createHintListener(
  { clock, settings, lanes, wake, poll }: HintedContext,
  hints: Hints | undefined,
): HintListener {
  let unlisten: (() => void) | undefined;
  let cooldown: Cancel | undefined;
  let isPollOwed = false;

  /** Polls now, or at the end of an interval that a poll has begun. */
  function requestPoll(): void {
    isPollOwed = cooldown !== undefined;
    if (isPollOwed) return;
    poll();
    cooldown = clock.after(HINTED_POLL_EVERY_MS, () => {
      cooldown = undefined;
      if (isPollOwed) requestPoll();
    });
  }

  function hear(hinted: readonly DestinationId[]): void {
    if (hinted.length === 0) {
      requestPoll();
      return;
    }
    const nowMs = clock.wall();
    // The ids are texts of other processes: a lane that no setting names is left to polls.
    for (const lane of hinted) if (settings.destination(lane) !== undefined) lanes.due(lane, nowMs);
    wake();
  }

  return {
    start: (): void => {
      unlisten = hints?.listen(hear);
    },
    stop: (): Promise<void> => {
      unlisten?.();
      cooldown?.();
      return Promise.resolve();
    },
  };
}

/** Tells other processes where deliveries wait. Bounds the rate and the size of hints; polls find the rest. */
export interface HintTeller {
  /** To be called when a delivery of this lane can be claimed, and this process does not claim it. */
  readonly note: (lane: DestinationId) => void;
  /** Sends the noted lanes, and nothing afterwards. */
  stop(): Promise<void>;
  /** To be called instead of `stop` when this process leaves, after it has released its claims. */
  leave(): Promise<void>;
}

interface HintTellerContext {
  readonly clock: Pick<Clock, "after">;
  /** Absent if the store has none: then no hint is sent. */
  readonly hints: Hints | undefined;
  /** True if this process claims due deliveries. */
  readonly delivers: boolean;
}

/** Sends the first note at once, and further ones together, at intervals. */
export function createHintTeller({ clock, hints, delivers }: HintTellerContext): HintTeller {
  const noted = new Set<DestinationId>();
  /** True if the next hint names no lane, so that others look at all of them. */
  let isForAll = false;
  /** One hint at a time is under way. */
  let isTelling = false;
  /** Set while it is too early for a further hint. */
  let cancel: Cancel | undefined;
  let isStopped = hints === undefined;
  let telling = Promise.resolve();

  function tell(): void {
    cancel = undefined;
    if (hints === undefined || !(isForAll || noted.size > 0)) return;
    const lanes = isForAll ? [] : [...noted];
    noted.clear();
    isForAll = false;
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
      // Beyond this number, the hint names no lane.
      if (noted.size < MAX_HINTED_LANES) noted.add(lane);
      else isForAll ||= !noted.has(lane);
      if (cancel === undefined && !isTelling) tell();
    },
    stop,
    leave: (): Promise<void> => {
      // A process that delivers may have released claims of any lane.
      isForAll ||= delivers;
      return stop();
    },
  };
}

function nothing(): void {
  // Others find it at their next poll.
}
