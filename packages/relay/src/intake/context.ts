// The parts of a relay that the acceptance of calls may touch, for each of its steps. A function takes the interface of
// which it uses all members (decision: contexts).

import type { Clock, Random } from "@postrider/core";
import type { EmitEvent } from "../relay-event.js";
import type { PendingCounts } from "../state/pending-counts.js";
import type { SettingsInForce } from "../state/settings-in-force.js";
import type { MessageQueue } from "./message-queue.js";
import type { FairQueue } from "./turns.js";

/** Needed to turn a call into a draft, or to refuse it. */
export interface PrepareContext {
  readonly random: Random;
  readonly settings: SettingsInForce;
  readonly emit: EmitEvent;
}

/** Needed to count and to report calls that are not stored. */
export interface CountContext {
  readonly tally: PendingCounts;
  readonly emit: EmitEvent;
}

/** Needed to shed calls, with the time at which the caller should try again. */
export interface ShedContext extends CountContext {
  readonly clock: Clock;
}

/** Needed to store the calls of one slice. */
export interface SliceContext extends CountContext {
  readonly queue: MessageQueue;
}

/** Needed to accept an arrival of one slice. */
export interface StoreContext extends ShedContext, SliceContext {}

/** Needed to accept an arrival of several slices, in its turn. */
export interface SlicesContext extends StoreContext {
  readonly turns: FairQueue;
  /**
   * Resolves when the next slice of an arrival may be processed: in a later loop turn, since each loop turn processes a
   * limited number of slices.
   */
  readonly nextSlice: () => Promise<void>;
}

/** Needed to accept any arrival. */
export interface IntakeContext extends SlicesContext, PrepareContext {}
