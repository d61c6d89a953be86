// Does long work on the store step by step. Other work runs between two steps, since a store may block the thread
// during a step.

import type { Clock } from "@postrider/core";
import { pauseFor } from "@postrider/core/engine";
import { ok, type Result } from "neverthrow";
import { MAX_SLICES, SLICE_PAUSE_MS } from "../limits.js";
import type { StoreFault } from "../fault.js";

/**
 * `step` answers whether that step was the last. `untilDone` answers whether all is done; otherwise the rest waits for
 * the next run.
 */
export async function untilDone(
  clock: Clock,
  step: () => PromiseLike<Result<boolean, StoreFault>>,
  shouldContinue: () => boolean,
): Promise<Result<boolean, StoreFault>> {
  for (let taken = 0; taken < MAX_SLICES && shouldContinue(); taken += 1) {
    if (taken > 0) await pauseFor(clock, SLICE_PAUSE_MS);
    const isDone = await step();
    if (isDone.isErr() || isDone.value) return isDone;
  }
  return ok(false);
}
