// The port for the clock of a store that several machines share (decision: time of the store).

import type { EpochMs } from "../ids.js";

/** The clock of a store, as machines ask for it. */
export interface SharedClock {
  /** The time in milliseconds since 1970. It may step, as any wall clock. */
  wall(): Promise<EpochMs>;
}
