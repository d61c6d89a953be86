// Looks at the lanes of which other processes tell (decision: hints). A hint is taken for nothing more than a reason to look.

import type { Clock, DestinationId, Hints } from "@postrider/core";
import type { Lanes } from "../state/lanes.js";
import type { SettingsInForce } from "../state/settings-in-force.js";

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
