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
  let isOwed = false;

  /** Reads all lanes at once, and then no more often than at intervals. */
  function hearAny(): void {
    isOwed = cooldown !== undefined;
    if (isOwed) return;
    poll();
    cooldown = clock.after(HINTED_POLL_EVERY_MS, () => {
      cooldown = undefined;
      if (isOwed) hearAny();
    });
  }

  function hear(told: readonly DestinationId[]): void {
    if (told.length === 0) {
      hearAny();
      return;
    }
    const nowMs = clock.wall();
    // Texts of others: a lane that no setting knows is left to polls.
    for (const lane of told) if (settings.destination(lane) !== undefined) lanes.due(lane, nowMs);
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
  /** To be called instead when this process leaves, after it has given back its claims. */
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
