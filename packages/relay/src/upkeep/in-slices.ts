// Does long work on the store slice by slice. Between two slices all other work has its turn, since a store may hold its
// thread for as long as a slice takes.

import { ok, type Result } from "neverthrow";
import type { RelayContext } from "../context.js";
import { MAX_SLICES, SLICE, SLICE_PAUSE_MS } from "../limits.js";
import { pause } from "../storage/pause.js";
import type { StoreFault } from "../storage/storage.js";

/** `work` does up to `SLICE` and answers how many. Answers how many in all; what is left waits for the next time. */
export async function inSlices(
  { clock }: RelayContext,
  work: () => PromiseLike<Result<number, StoreFault>>,
  mayGoOn: () => boolean,
): Promise<Result<number, StoreFault>> {
  let total = 0;
  for (let slice = 0; slice < MAX_SLICES && mayGoOn(); slice += 1) {
    if (slice > 0) await pause(clock, SLICE_PAUSE_MS);
    const done = await work();
    if (done.isErr()) return done;
    total += done.value;
    if (done.value < SLICE) break;
  }
  return ok(total);
}
