// One commit to the store. A store that is busy is asked again a few times, each time a little later; all else is an
// answer. A repeat is safe: what was written after all is then a duplicate, or stale.

import type { Changes, Clock, Committed, EpochMs } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import { BUSY_DELAYS_MS } from "../limits.js";
import { pause } from "./pause.js";
import type { Storage, StoreFault } from "./storage.js";

export interface CommitMade {
  readonly committed: Committed;
  /** The time that the store was told. */
  readonly at: EpochMs;
}

export async function tryCommit(
  storage: Storage,
  clock: Clock,
  changes: Changes,
): Promise<Result<CommitMade, StoreFault>> {
  for (const delayMs of BUSY_DELAYS_MS) {
    const result = await commitOnce(storage, clock, changes);
    if (result.isOk() || result.error.code !== "busy") return result;
    await pause(clock, delayMs);
  }
  return commitOnce(storage, clock, changes);
}

async function commitOnce(storage: Storage, clock: Clock, changes: Changes): Promise<Result<CommitMade, StoreFault>> {
  const at = clock.wall();
  const result = await storage.ask((store) => store.commit(changes, at));
  return result.isOk() ? ok({ committed: result.value, at }) : err(result.error);
}
