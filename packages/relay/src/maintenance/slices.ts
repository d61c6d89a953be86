// Does long work on the store slice by slice, with a pause between two slices, since a store may block the thread during
// one. Ends the waiting deliveries of a lane that way: their age limit is computed again for each slice, since the clock
// may be set back between two of them (decision: clocks and decisions).

import type { Clock, DestinationId, Detail, EndRequest, EpochMs } from "@postrider/core";
import { defined, pauseFor } from "@postrider/core/engine";
import { ok, type Result } from "neverthrow";
import type { Storage } from "../commits/storage.js";
import type { StoreFault } from "../fault.js";
import { DELIVERIES_PER_SLICE, MAX_SLICES, SLICE_PAUSE_MS } from "../limits.js";
import type { EmitEvent } from "../relay-event.js";

/** Needed to end deliveries. */
export interface EndContext {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly emit: EmitEvent;
}

interface Ending {
  readonly lane: DestinationId;
  readonly reason: EndRequest["reason"];
  /** The detail of the ended deliveries; absent: each keeps its detail. */
  readonly detail?: Detail;
  /** The bounds of the deliveries to end, as of `now`; all if absent. */
  readonly boundsAt?: (now: EpochMs) => Pick<EndRequest, "acceptedBefore" | "firstAttemptBefore">;
}

/** Ends deliveries, and answers how many were ended. */
export async function endSlices(
  { clock, storage, emit }: EndContext,
  { lane, reason, detail, boundsAt = everything }: Ending,
  shouldContinue: () => boolean,
): Promise<Result<number, StoreFault>> {
  const ending = { lane, reason, ...defined({ detail }) };
  const endSlice = () => {
    const nowMs = clock.wall();
    return storage.ask((store) => store.end({ ...ending, ...boundsAt(nowMs), limit: DELIVERIES_PER_SLICE }, nowMs));
  };
  const ended = await inSlices(clock, endSlice, shouldContinue);
  if (ended.isOk() && ended.value > 0) emit({ kind: "ended", destination: lane, reason, deliveries: ended.value });
  return ended;
}

function everything(): object {
  return {};
}

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
      const result = await work();
      return result.map((count) => {
        total += count;
        return count < DELIVERIES_PER_SLICE;
      });
    },
    shouldContinue,
  );
  return isDone.map(() => total);
}

/**
 * `step` answers whether that step was the last. `untilDone` answers whether all is done; otherwise the rest waits for
 * the next run.
 */
export async function untilDone(
  clock: Clock,
  step: () => PromiseLike<Result<boolean, StoreFault>>,
  shouldContinue: () => boolean,
): Promise<Result<boolean, StoreFault>> {
  for (let stepsTaken = 0; stepsTaken < MAX_SLICES && shouldContinue(); stepsTaken += 1) {
    if (stepsTaken > 0) await pauseFor(clock, SLICE_PAUSE_MS);
    const isDone = await step();
    if (isDone.isErr() || isDone.value) return isDone;
  }
  return ok(false);
}
