// Brings forward deliveries whose due time is further off than any delay: the clock was set back since that time was set
// (decision: downtime and clock steps). A delivery whose lease is in force keeps its due time.

import { type DestinationId, type EpochMs, longestDelay, plusMs } from "@postrider/core";
import { longestHold } from "@postrider/core/engine";
import type { ResultAsync } from "neverthrow";
import { SLICE } from "../limits.js";
import type { StoreFault } from "../storage/storage.js";
import type { PullInContext, SliceOfStoreContext } from "./context.js";
import { inSlices } from "./in-slices.js";

export interface PullingIn {
  /**
   * Whether this process has just started: receivers may have set holds in the previous process. Later holds are in the
   * relay's state.
   */
  readonly isFirst: boolean;
  readonly shouldContinue: () => boolean;
}

/** Answers whether all lanes were done; if not, the call must be repeated. */
export async function pullInLanes(
  context: PullInContext,
  lanes: readonly DestinationId[],
  { isFirst, shouldContinue }: PullingIn,
): Promise<boolean> {
  for (const lane of lanes) {
    const pulled = await inSlices(context.clock, () => pullIn(context, lane, isFirst), shouldContinue);
    if (pulled.isErr()) return false;
    if (pulled.value === 0) continue;
    // The latest of the new due times: without it, the lane would not be claimed from before the next poll.
    context.lanes.due(lane, leaseEnd(context));
    context.emit({ kind: "pulled-in", destination: lane, deliveries: pulled.value });
  }
  return shouldContinue();
}

/** The new due time. An earlier one could let another process claim a delivery whose lease is still in force. */
function leaseEnd({ clock, settings }: Omit<SliceOfStoreContext, "storage">): EpochMs {
  return plusMs(clock.wall(), settings.workspace().delivery.leaseMs);
}

function pullIn(context: SliceOfStoreContext, lane: DestinationId, isFirst: boolean): ResultAsync<number, StoreFault> {
  const { clock, settings, storage } = context;
  const now = clock.wall();
  const { delivery } = settings.workspace();
  const longestMs = Math.max(longestDelay(delivery), delivery.leaseMs, isFirst ? longestHold(delivery) : 0);
  const dueAfter = plusMs(now, longestMs);
  const request = { lane, dueAfter, dueAt: leaseEnd(context), limit: SLICE };
  return storage.ask((store) => store.pullIn(request, now));
}
