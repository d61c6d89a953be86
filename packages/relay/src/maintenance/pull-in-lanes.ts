// Brings forward deliveries that could be claimed only after a time longer than any delay: the clock was set back after
// their due time or the end of their lease was stored (decision: downtime and clock steps). A claimed delivery stays
// claimed until one lease from now.

import { type DestinationId, type EpochMs, longestDelay, plusMs } from "@postrider/core";
import { longestHold } from "@postrider/core/engine";
import type { ResultAsync } from "neverthrow";
import { DELIVERIES_PER_SLICE } from "../limits.js";
import type { StoreFault } from "../fault.js";
import type { PullInContext, SliceOfStoreContext } from "./context.js";
import { inSlices } from "./in-slices.js";

export interface PullingIn {
  /**
   * Whether this is the first time since the process started. Due times up to the longest hold then stay, since a
   * receiver may have asked the previous process for that hold. This process knows later holds, and applies them to
   * deliveries that were brought forward.
   */
  readonly isFirst: boolean;
  readonly shouldContinue: () => boolean;
}

/** Brings forward deliveries of these lanes. Returns whether all lanes were done; if not, this must be repeated. */
export async function pullInLanes(
  context: PullInContext,
  lanes: readonly DestinationId[],
  { isFirst, shouldContinue }: PullingIn,
): Promise<boolean> {
  for (const lane of lanes) {
    const pulled = await inSlices(context.clock, () => pullIn(context, lane, isFirst), shouldContinue);
    if (pulled.isErr()) return false;
    if (pulled.value === 0) continue;
    // The latest of the new due times. If the lane did not know it, the next claim would wait for the next poll.
    context.lanes.due(lane, leaseEnd(context));
    context.emit({ kind: "pulled-in", destination: lane, deliveries: pulled.value });
  }
  return shouldContinue();
}

/** The new due time. With an earlier one, another process could claim a delivery whose lease is still in force. */
function leaseEnd({ clock, settings }: Omit<SliceOfStoreContext, "storage">): EpochMs {
  return plusMs(clock.wall(), settings.workspace().delivery.leaseMs);
}

function pullIn(context: SliceOfStoreContext, lane: DestinationId, isFirst: boolean): ResultAsync<number, StoreFault> {
  const { clock, settings, storage } = context;
  const now = clock.wall();
  const { delivery } = settings.workspace();
  const longestMs = Math.max(longestDelay(delivery), delivery.leaseMs, isFirst ? longestHold(delivery) : 0);
  const dueAfter = plusMs(now, longestMs);
  const request = { lane, dueAfter, dueAt: leaseEnd(context), limit: DELIVERIES_PER_SLICE };
  return storage.ask((store) => store.pullIn(request, now));
}
