// The part of a delivery store by which a process that only accepts wakes those that deliver (decision: hints).

import type { DestinationId } from "../ids.js";

/**
 * What processes tell each other besides what is stored. A hint may be lost, late, or repeated: then a delivery waits for the next
 * poll, or a claim finds nothing. Nothing depends on it.
 */
export interface Hints {
  /**
   * Tells the other processes that deliveries of these lanes can be claimed; without any, of any lane. Resolves once it is told, and
   * rejects if it is not. It costs the store something each time: callers gather.
   */
  tell(lanes: readonly DestinationId[]): Promise<void>;
  /** Calls `onTold` with what other processes tell from now on, as far as it arrives, until the returned function is called. */
  listen(onTold: (lanes: readonly DestinationId[]) => void): () => void;
}
