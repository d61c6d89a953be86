// Maintenance of the store: brings forward deliveries whose due time is far off because the clock was set back; in
// lanes that are closed, held or blocked, ends deliveries whose time is over, and old ones of a removed destination;
// sweeps finished deliveries whose retention has ended. Of several processes one ends and sweeps.

import { type Clock, type DestinationId, type EpochMs, plusMs } from "@postrider/core";
import { FORBIDDEN_ADDRESS, HOUR_MS } from "@postrider/core/engine";
import type { ResultAsync } from "neverthrow";
import { END_EVERY_MS, DELIVERIES_PER_SLICE, MAX_SLICES, SWEEP_EVERY_MS } from "../limits.js";
import type { MaintenanceMemory } from "../relay-state.js";
import { endSlices } from "./end-slices.js";
import type { StoreFault } from "../fault.js";
import type { MaintenanceContext, SliceOfStoreContext } from "./context.js";
import { inSlices } from "./in-slices.js";
import { pullInLanes } from "./pull-in-lanes.js";

export interface Maintenance {
  /** Does the maintenance that is due in these lanes, and in the store. */
  run(lanes: readonly DestinationId[]): Promise<void>;
  /** What is owed and planned, for the relay that takes over. */
  remember(): Omit<MaintenanceMemory, "orphans">;
}

/** `known` is what the former relay owed and planned; absent at the start of a process. */
export function createMaintenance(
  context: MaintenanceContext,
  shouldContinue: () => boolean,
  known: Omit<MaintenanceMemory, "orphans"> = atStart(context.clock),
): Maintenance {
  let { owedPullIn, pullInAgainAt = Infinity, endAt, sweepAt } = known;

  /**
   * Brings deliveries forward after the clock was set back, and at the start, since the previous process may have had
   * another clock. This is repeated until it succeeds, and done once more one lease after the clock was set back: by
   * then each decision made before the step is stored, or will never be stored.
   */
  async function pullIn(lanes: readonly DestinationId[]): Promise<void> {
    const now = context.clock.monotonic();
    const wasSetBack = context.clock.wasSetBack();
    if (wasSetBack || now >= pullInAgainAt) {
      owedPullIn ??= "further";
      pullInAgainAt = wasSetBack ? now + context.settings.workspace().delivery.leaseMs : Infinity;
    }
    if (owedPullIn === undefined) return;
    const isDone = await pullInLanes(context, lanes, { isFirst: owedPullIn === "first", shouldContinue });
    if (isDone) owedPullIn = undefined;
  }

  async function endClosed(lanes: readonly DestinationId[]): Promise<void> {
    for (const lane of lanes) {
      const isClosed = !context.settings.isOpen(lane) || context.lanes.isHeld(lane);
      if (!isClosed || !shouldContinue()) continue;
      const isBlocked = context.settings.isOpen(lane) && context.lanes.isBlocked(lane);
      await (isBlocked ? endBlocked(lane) : endIn(lane));
    }
  }

  async function endBlocked(lane: DestinationId): Promise<void> {
    // While a probe is due, the settings may have changed, so that the lane is not blocked any more.
    if (!context.lanes.isResting(lane)) return;
    const { retryWindowMs } = context.settings.workspace().delivery;
    const waited = (now: EpochMs) => ({ acceptedBefore: plusMs(now, 1 - retryWindowMs) });
    const ending = { lane, reason: "refused", detail: FORBIDDEN_ADDRESS, before: waited } as const;
    (await endSlices(context, ending, shouldContinue)).match(nothing, nothing);
  }

  async function endIn(lane: DestinationId): Promise<void> {
    const { delivery, retention } = context.settings.workspace();
    const begun = (now: EpochMs) => ({ firstAttemptBefore: plusMs(now, -delivery.retryWindowMs) });
    const expired = await endSlices(context, { lane, reason: "expired", before: begun }, shouldContinue);
    if (expired.isErr() || context.settings.destination(lane) !== undefined) return;
    const accepted = (now: EpochMs) => ({ acceptedBefore: plusMs(now, -retention.deadHours * HOUR_MS) });
    const removed = await endSlices(context, { lane, reason: "destination-removed", before: accepted }, shouldContinue);
    removed.match(nothing, nothing);
  }

  /** Returns whether more is left than one run removes: a busy relay finishes more in a minute. */
  async function sweep(): Promise<boolean> {
    const swept = await inSlices(context.clock, () => sweepSlice(context), shouldContinue);
    if (swept.isErr() || swept.value === 0) return false;
    context.emit({ kind: "swept", deliveries: swept.value });
    return swept.value >= MAX_SLICES * DELIVERIES_PER_SLICE;
  }

  async function run(lanes: readonly DestinationId[]): Promise<void> {
    await pullIn(lanes);
    if (!context.duty.isMine()) return;
    const now = context.clock.monotonic();
    if (now >= endAt) {
      endAt = now + END_EVERY_MS;
      await endClosed(lanes);
    }
    if (now >= sweepAt) {
      sweepAt = now + SWEEP_EVERY_MS;
      if (await sweep()) sweepAt = now;
    }
  }

  return {
    run,
    remember: () => ({ owedPullIn, endAt, sweepAt, ...(pullInAgainAt === Infinity ? {} : { pullInAgainAt }) }),
  };
}

function atStart(clock: Pick<Clock, "monotonic">): Omit<MaintenanceMemory, "orphans"> {
  const now = clock.monotonic();
  return { owedPullIn: "first", endAt: now, sweepAt: now };
}

function sweepSlice({ clock, settings, storage }: SliceOfStoreContext): ResultAsync<number, StoreFault> {
  const { retention } = settings.workspace();
  const now = clock.wall();
  const deliveredBefore = plusMs(now, -retention.deliveredHours * HOUR_MS);
  const deadBefore = plusMs(now, -retention.deadHours * HOUR_MS);
  return storage.ask((store) => store.sweep({ deliveredBefore, deadBefore, limit: DELIVERIES_PER_SLICE }, now));
}

function nothing(): void {
  // Deliveries that could not be ended now are ended in the next run; the storage has reported the fault.
}
