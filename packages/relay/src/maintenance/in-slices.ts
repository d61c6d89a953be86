// Does long work on the store slice by slice, and counts the deliveries.

import type { Clock } from "@postrider/core";
import type { Result } from "neverthrow";
import { DELIVERIES_PER_SLICE } from "../limits.js";
import type { StoreFault } from "../fault.js";
import { untilDone } from "./until-done.js";

/**
 * `work` does one slice: it processes up to `DELIVERIES_PER_SLICE` deliveries, and answers how many. `inSlices` answers
 * their sum; the rest waits for the next run.
 */
export async function inSlices(
  clock: Clock,
  work: () => PromiseLike<Result<number, StoreFault>>,
  shouldContinue: () => boolean,
): Promise<Result<number, StoreFault>> {
  let total = 0;
  const isDone = await untilDone(
    clock,
    async () => {
      const done = await work();
      return done.map((count) => {
        total += count;
        return count < DELIVERIES_PER_SLICE;
      });
    },
    shouldContinue,
  );
  return isDone.map(() => total);
}
