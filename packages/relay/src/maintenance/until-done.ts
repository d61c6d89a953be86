// Does long work on the store step by step. Between two steps all other work has its turn, since a store may hold its
// thread for as long as a step takes.

import { ok, type Result } from "neverthrow";
import type { RelayContext } from "../context.js";
import { MAX_SLICES, SLICE_PAUSE_MS } from "../limits.js";
import { pause } from "../storage/pause.js";
import type { StoreFault } from "../storage/storage.js";

/** `step` answers whether it was the last. Answers whether all is done; what is left waits for the next time. */
export async function untilDone(
  { clock }: Pick<RelayContext, "clock">,
  step: () => PromiseLike<Result<boolean, StoreFault>>,
  shouldContinue: () => boolean,
): Promise<Result<boolean, StoreFault>> {
  for (let taken = 0; taken < MAX_SLICES && shouldContinue(); taken += 1) {
    if (taken > 0) await pause(clock, SLICE_PAUSE_MS);
    const isDone = await step();
    if (isDone.isErr() || isDone.value) return isDone;
  }
  return ok(false);
}
