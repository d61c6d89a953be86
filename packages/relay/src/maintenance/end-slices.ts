// Ends waiting deliveries of a lane that is closed, held or blocked, slice by slice. The age limit is computed again for each
// slice: the clock may be set back between two slices (decision: clocks and decisions).

import type { DestinationId, Detail, EndRequest, EpochMs } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { Result } from "neverthrow";
import { DELIVERIES_PER_SLICE } from "../limits.js";
import type { StoreFault } from "../fault.js";
import type { EndContext } from "./context.js";
import { inSlices } from "./in-slices.js";

export interface Ending {
  readonly lane: DestinationId;
  readonly reason: EndRequest["reason"];
  /** The detail of the ended deliveries; absent: each keeps its detail. */
  readonly detail?: Detail;
  /** Which deliveries to end, as of `now`; all if absent. */
  readonly before?: (now: EpochMs) => Pick<EndRequest, "acceptedBefore" | "firstAttemptBefore">;
}

/** Ends deliveries, and answers how many were ended. */
export async function endSlices(
  { clock, storage, emit }: EndContext,
  { lane, reason, detail, before = everything }: Ending,
  shouldContinue: () => boolean,
): Promise<Result<number, StoreFault>> {
  const ending = { lane, reason, ...defined({ detail }) };
  const endSlice = () => {
    const now = clock.wall();
    return storage.ask((store) => store.end({ ...ending, ...before(now), limit: DELIVERIES_PER_SLICE }, now));
  };
  const ended = await inSlices(clock, endSlice, shouldContinue);
  if (ended.isOk() && ended.value > 0) emit({ kind: "ended", destination: lane, reason, deliveries: ended.value });
  return ended;
}

function everything(): object {
  return {};
}
