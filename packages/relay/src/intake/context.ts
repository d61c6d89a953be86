// The parts of a relay that the acceptance of calls may touch, for each of its steps. A function takes the interface of which
// it uses all (decision: contexts).

import type { Clock, Random } from "@postrider/core";
import type { EmitEvent } from "../relay-event.js";
import type { PendingCounts } from "../state/pending-counts.js";
import type { SettingsInForce } from "../state/settings-in-force.js";
import type { MessageQueue } from "./message-queue.js";
import type { FairQueue } from "./turns.js";

/** A call becomes a draft, or is refused. */
export interface PrepareContext {
  readonly random: Random;
  readonly settings: SettingsInForce;
  readonly emit: EmitEvent;
}

/** Calls that are not stored are counted and reported. */
export interface CountContext {
  readonly tally: PendingCounts;
  readonly emit: EmitEvent;
}

/** Calls that cannot be stored are answered with the time of the next try. */
export interface ShedContext extends CountContext {
  readonly clock: Clock;
}

/** Calls of one slice are stored. */
export interface SliceContext extends CountContext {
  readonly queue: MessageQueue;
}

/** Arrivals of one slice. */
export interface StoreContext extends ShedContext, SliceContext {}

/** Arrivals of several slices, in their turns. */
export interface SlicesContext extends StoreContext {
  readonly turns: FairQueue;
  /**
   * Resolves when a further slice of an arrival may be worked on: in a later turn of the event loop, in each of which a
   * limited number may.
   */
  readonly nextSlice: () => Promise<void>;
}

/** Any arrival. */
export interface IntakeContext extends SlicesContext, PrepareContext {}
