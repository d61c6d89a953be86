// One commit to the store, tried again while the store is busy. A repeat is safe: what was written after all is then a
// duplicate, or stale.

import type { Changes, Clock, Committed, EpochMs } from "@postrider/core";
import { ok, type Result } from "neverthrow";
import type { Storage, StoreFault } from "./storage.js";
import { whileBusy } from "./while-busy.js";

export interface CommitMade {
  readonly committed: Committed;
  /** The time that the store was told. */
  readonly at: EpochMs;
}

export function tryCommit(storage: Storage, clock: Clock, changes: Changes): Promise<Result<CommitMade, StoreFault>> {
  return whileBusy(clock, async () => {
    const at = clock.wall();
    const result = await storage.ask((store) => store.commit(changes, at));
    return result.andThen((committed) => ok({ committed, at }));
  });
}
