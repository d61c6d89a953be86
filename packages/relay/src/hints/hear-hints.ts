// Looks at the lanes of which other processes tell (decision: hints). A hint is taken for nothing more than a reason to look.

import type { Cancel, Clock, DestinationId, Hints } from "@postrider/core";
import { HINTED_POLL_EVERY_MS } from "../limits.js";
import type { Lanes } from "../lanes/lanes.js";
import type { SettingsInForce } from "../settings-in-force.js";

/** What is woken by the hints of others. */
export interface HintedContext {
  readonly clock: Pick<Clock, "wall" | "after">;
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
  let rest: Cancel | undefined;
  let isOwed = false;

  /** Reads all lanes at once, and then no more often than at intervals. */
  function hearAny(): void {
    isOwed = rest !== undefined;
    if (isOwed) return;
    poll();
    rest = clock.after(HINTED_POLL_EVERY_MS, () => {
      rest = undefined;
      if (isOwed) hearAny();
    });
  }

  function hear(told: readonly DestinationId[]): void {
    if (told.length === 0) {
      hearAny();
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
      rest?.();
      return Promise.resolve();
    },
  };
}
