// Repeats what is safe to repeat: a request or a commit to a busy store, which has written nothing.

import type { Changes, Clock, CommitResult } from "@postrider/core";
import { pauseFor } from "@postrider/core/engine";
import { type Result, ok } from "neverthrow";
import { BUSY_DELAYS_MS } from "../limits.js";
import type { StoreFault } from "../fault.js";
import { instantOf, type Instant } from "./lease.js";
import type { StoreClock } from "../fleet/clock.js";
import type { Storage } from "./storage.js";

export async function whileBusy<T>(
  clock: Clock,
  ask: () => PromiseLike<Result<T, StoreFault>>,
): Promise<Result<T, StoreFault>> {
  for (const delayMs of BUSY_DELAYS_MS) {
    const result = await ask();
    if (result.isOk() || result.error.code !== "busy") return result;
    await pauseFor(clock, delayMs);
  }
  return ask();
}

export interface CommitMade {
  readonly committed: CommitResult;
  /** The instant at which the commit was requested. */
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
