// Maintenance of the store: brings forward deliveries whose due time is far off because the clock was set back; in
// lanes that are closed, held or blocked, ends deliveries whose time is over, and old ones of a removed destination;
// sweeps finished deliveries whose retention has ended. Of several processes only one ends and sweeps.

import { type Clock, type DestinationId, type EpochMs, longestDelay, plusMs } from "@postrider/core";
import { FORBIDDEN_ADDRESS, HOUR_MS, longestHold } from "@postrider/core/engine";
import type { ResultAsync } from "neverthrow";
import { DELIVERIES_PER_SLICE, END_EVERY_MS, MAX_SLICES, SWEEP_EVERY_MS } from "../limits.js";
import type { MaintenanceMemory } from "../relay-state.js";
import { type EndContext, endSlices, inSlices } from "./slices.js";
import type { StoreFault } from "../fault.js";
import type { Duty } from "../fleet/lane-sync.js";
import type { Lanes } from "../lanes/lanes.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { WatchedClock } from "../fleet/clock.js";
import type { Commits } from "../commits/commits.js";
import type { Storage } from "../commits/storage.js";

interface Maintenance {
  /** Does the maintenance that is due in these lanes, and in the store. */
  run(lanes: readonly DestinationId[]): Promise<void>;
  /** The maintenance that is owed and planned, for the relay that takes over. */
  remember(): Omit<MaintenanceMemory, "orphans">;
}

/** Needed to sweep finished deliveries, and to bring forward one slice of deliveries. */
interface SliceOfStoreContext {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly settings: SettingsInForce;
}

/** Needed to bring forward the deliveries of lanes. */
interface PullInContext extends EndContext, SliceOfStoreContext {
  readonly lanes: Lanes;
}

/** Needed for all maintenance. */
export interface MaintenanceContext extends PullInContext {
  readonly clock: WatchedClock;
  readonly duty: Pick<Duty, "isMine">;
  readonly commits: Pick<Commits, "waitingSince">;
}

/** `known`: the maintenance that the former relay owed and planned; absent at the start of a process. */
export function createMaintenance(
  context: MaintenanceContext,
  shouldContinue: () => boolean,
  known: Omit<MaintenanceMemory, "orphans"> = atStart(context.clock),
): Maintenance {
  let { owedPullIn, pullInAgainAt = Infinity, endAt, sweepAt } = known;

  /**
   * Brings deliveries forward after the clock was set back, and at the start, since the previous process may have had
   * another clock. This is repeated until it succeeds, and done once more one lease after the clock was set back, when the writes of
   * that time have their answers: by then each decision made before the step is stored, or will never be stored.
   */
  async function pullInIfOwed(lanes: readonly DestinationId[]): Promise<void> {
    const nowMs = context.clock.monotonic();
    const wasSetBack = context.clock.wasSetBack();
    const isAgain = nowMs >= pullInAgainAt && (context.commits.waitingSince() ?? Infinity) > pullInAgainAt;
    if (wasSetBack || isAgain) {
      owedPullIn ??= "further";
      pullInAgainAt = wasSetBack ? nowMs + context.settings.workspace().delivery.leaseMs : Infinity;
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
      await (isBlocked ? endBlocked(lane) : endExpired(lane));
    }
  }

  async function endBlocked(lane: DestinationId): Promise<void> {
    // While a probe is due, the settings may have changed, so that the lane is not blocked any more.
    if (!context.lanes.isResting(lane)) return;
    const { retryWindowMs } = context.settings.workspace().delivery;
    const waitedTooLong = (now: EpochMs) => ({ acceptedBefore: plusMs(now, 1 - retryWindowMs) });
    const ending = { lane, reason: "refused", detail: FORBIDDEN_ADDRESS, boundsAt: waitedTooLong } as const;
    (await endSlices(context, ending, shouldContinue)).match(nothing, nothing);
  }

  async function endExpired(lane: DestinationId): Promise<void> {
    const { delivery, retention } = context.settings.workspace();
    const windowEnded = (now: EpochMs) => ({ firstAttemptBefore: plusMs(now, -delivery.retryWindowMs) });
    const expired = await endSlices(context, { lane, reason: "expired", boundsAt: windowEnded }, shouldContinue);
    if (expired.isErr() || context.settings.destination(lane) !== undefined) return;
    const acceptedLongAgo = (now: EpochMs) => ({ acceptedBefore: plusMs(now, -retention.deadHours * HOUR_MS) });
    const removed = await endSlices(
      context,
      { lane, reason: "destination-removed", boundsAt: acceptedLongAgo },
      shouldContinue,
    );
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
    await pullInIfOwed(lanes);
    if (!context.duty.isMine()) return;
    const nowMs = context.clock.monotonic();
    if (nowMs >= endAt) {
      endAt = nowMs + END_EVERY_MS;
      await endClosed(lanes);
    }
    if (nowMs >= sweepAt) {
      sweepAt = nowMs + SWEEP_EVERY_MS;
      if (await sweep()) sweepAt = nowMs;
    }
  }

  return {
    run,
    remember: () => ({ owedPullIn, endAt, sweepAt, ...(pullInAgainAt === Infinity ? {} : { pullInAgainAt }) }),
  };
}

function atStart(clock: Pick<Clock, "monotonic">): Omit<MaintenanceMemory, "orphans"> {
  const nowMs = clock.monotonic();
  return { owedPullIn: "first", endAt: nowMs, sweepAt: nowMs };
}

function sweepSlice({ clock, settings, storage }: SliceOfStoreContext): ResultAsync<number, StoreFault> {
  const { retention } = settings.workspace();
  const nowMs = clock.wall();
  const deliveredBefore = plusMs(nowMs, -retention.deliveredHours * HOUR_MS);
  const deadBefore = plusMs(nowMs, -retention.deadHours * HOUR_MS);
  return storage.ask((store) => store.sweep({ deliveredBefore, deadBefore, limit: DELIVERIES_PER_SLICE }, nowMs));
}

function nothing(): void {
  // Deliveries that could not be ended now are ended in the next run; the storage has reported the fault.
}

interface PullingIn {
  /**
   * True if this is the first time since the process started. Due times up to the longest hold then stay, since a
   * receiver may have asked the previous process for that hold. This process knows later holds, and applies them to
   * deliveries that were brought forward.
   */
  readonly isFirst: boolean;
  readonly shouldContinue: () => boolean;
}

/** Brings forward deliveries of these lanes. Returns whether all lanes were done; if not, this must be repeated. */
async function pullInLanes(
  context: PullInContext,
  lanes: readonly DestinationId[],
  { isFirst, shouldContinue }: PullingIn,
): Promise<boolean> {
  for (const lane of lanes) {
    const pulled = await inSlices(context.clock, () => pullInSlice(context, lane, isFirst), shouldContinue);
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

/**
 * Brings forward deliveries that could be claimed only after a time longer than any delay: the clock was set back after
 * their due time or the end of their lease was stored (decision: downtime and clock steps).
 */
function pullInSlice(
  context: SliceOfStoreContext,
  lane: DestinationId,
  isFirst: boolean,
): ResultAsync<number, StoreFault> {
  const { clock, settings, storage } = context;
  const nowMs = clock.wall();
  const { delivery } = settings.workspace();
  const longestMs = Math.max(longestDelay(delivery), delivery.leaseMs, isFirst ? longestHold(delivery) : 0);
  const dueAfter = plusMs(nowMs, longestMs);
  const request = { lane, dueAfter, dueAt: leaseEnd(context), limit: DELIVERIES_PER_SLICE };
  return storage.ask((store) => store.pullIn(request, nowMs));
}
