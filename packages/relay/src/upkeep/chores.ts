// What must be done now and then, whatever else goes on: bringing forward what a clock that was set back has put far off,
// ending what waits for nobody, sweeping out what has been finished for long enough. Each at its own pace.

import type { DestinationId, EpochMs } from "@postrider/core";
import type { RelayContext } from "../context.js";
import { END_EVERY_MS, SLICE, SWEEP_EVERY_MS } from "../limits.js";
import { endSlices } from "./end-slices.js";
import { inSlices } from "./in-slices.js";
import { pullInLanes } from "./pull-in-lanes.js";

const HOUR_MS = 3_600_000;

/** Does what is due in these lanes, and in the store. */
export type Chores = (lanes: readonly DestinationId[]) => Promise<void>;

export function createChores(context: RelayContext, mayGoOn: () => boolean): Chores {
  let owedPullIn: "first" | "further" | undefined = "first";
  let endAt = context.clock.monotonic() as number;
  let sweepAt = context.clock.monotonic() as number;

  /** At first too: who knows what clock the process before has gone by. Again and again, until the store lets it be done. */
  async function pullIn(lanes: readonly DestinationId[]): Promise<void> {
    if (context.clockWatch.wasSetBack()) owedPullIn ??= "further";
    if (owedPullIn === undefined) return;
    const isDone = await pullInLanes(context, lanes, { isFirst: owedPullIn === "first", mayGoOn });
    if (isDone) owedPullIn = undefined;
  }

  async function endClosed(lanes: readonly DestinationId[]): Promise<void> {
    for (const lane of lanes) {
      const isClosed = !context.settings.isOpen(lane) || context.lanes.isHeld(lane);
      if (isClosed && mayGoOn()) await endIn(lane);
    }
  }

  async function endIn(lane: DestinationId): Promise<void> {
    const { delivery, retention } = context.settings.workspace();
    const now = context.clock.wall();
    const firstAttemptBefore = (now - delivery.retryWindowMs) as EpochMs;
    const expired = await endSlices(context, { lane, reason: "expired", firstAttemptBefore }, mayGoOn);
    if (expired.isErr() || context.settings.destination(lane) !== undefined) return;
    const acceptedBefore = (now - retention.deadHours * HOUR_MS) as EpochMs;
    const removed = await endSlices(context, { lane, reason: "destination-removed", acceptedBefore }, mayGoOn);
    removed.match(nothing, nothing);
  }

  async function sweep(): Promise<void> {
    const { retention } = context.settings.workspace();
    const now = context.clock.wall();
    const deliveredBefore = (now - retention.deliveredHours * HOUR_MS) as EpochMs;
    const deadBefore = (now - retention.deadHours * HOUR_MS) as EpochMs;
    const request = { deliveredBefore, deadBefore, limit: SLICE };
    const swept = await inSlices(context, () => context.storage.ask((store) => store.sweep(request, now)), mayGoOn);
    if (swept.isOk() && swept.value > 0) context.tell({ kind: "swept", deliveries: swept.value });
  }

  return async (lanes) => {
    await pullIn(lanes);
    const now = context.clock.monotonic();
    if (now >= endAt) {
      endAt = now + END_EVERY_MS;
      await endClosed(lanes);
    }
    if (now >= sweepAt) {
      sweepAt = now + SWEEP_EVERY_MS;
      await sweep();
    }
  };
}

function nothing(): void {
  // What could not be ended now is ended the next time; the storage has told why.
}
