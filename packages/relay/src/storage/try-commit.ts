// One commit to the store, repeated while the store is busy. A repeat is safe, since a busy store has written nothing.

import type { Changes, CommitResult } from "@postrider/core";
import { ok, type Result } from "neverthrow";
import type { StoreClock } from "../state/store-clock.js";
import { type Instant, instantOf } from "./held-lease.js";
import type { Storage } from "./storage.js";
import type { StoreFault } from "./store-fault.js";
import { whileBusy } from "./while-busy.js";

export interface CommitMade {
  readonly committed: CommitResult;
  /** When the commit was requested. */
  readonly asked: Instant;
}

export function tryCommit(
  storage: Storage,
  clock: StoreClock,
  changes: Changes,
): Promise<Result<CommitMade, StoreFault>> {
  return whileBusy(clock, async () => {
    const asked = instantOf(clock);
    const result = await storage.ask((store) => store.commit(changes, asked.wall));
    return result.andThen((committed) => ok({ committed, asked }));
  });
}
