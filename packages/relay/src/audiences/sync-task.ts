// Gives the steps of a sync what they share: their dependencies, the lease of one process on the sync (decision: audiences),
// the state of its destinations, and the removal of sets. A function takes the interface of which it uses all fields.

import type { Clock, AudienceRecord, EpochMs, LeaseHolder, DestinationId } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import { setPrefix, unusedSets } from "@postrider/core/engine";
import type { MessageQueue } from "../intake/enqueue.js";
import type { AudienceStorage, EraseFault, LeaseContext, NewIdContext, NoSuchAudience } from "./audience-storage.js";
import type { SyncBounds, SyncOptions, SyncProgress, SyncFault } from "./audiences.js";
import type { LongWork } from "../loop.js";
import { RENEWALS_PER_LEASE, TOKEN_BYTES } from "../limits.js";
import { randomHex } from "../random-hex.js";
import { type StoreFault, toRelayFault } from "../fault.js";
import type { Lanes } from "../lanes/lanes.js";
import type { SettingsInForce } from "../settings-in-force.js";

/** Needed to drop sets, and to erase users from sets. */
export interface SetTask {
  readonly storage: AudienceStorage;
  readonly work: LongWork;
}

/** Needed to merge lists into a set. */
export interface MergeTask extends SetTask {
  readonly bounds: SyncBounds;
}

/** Needed to collect the members of a sync into one set. */
export interface CollectTask extends MergeTask {
  readonly lease: SyncLease;
  readonly progress: (progress: SyncProgress) => void;
}

/** Needed for all steps before changes are sent. */
export interface PrepareTask extends CollectTask {
  readonly destinations: SyncDestinations;
}

/** Needed to store changes as deliveries. */
export interface StoreTask {
  readonly clock: Clock;
  readonly queue: MessageQueue;
  readonly lease: SyncLease;
  readonly work: LongWork;
}

/** Needed to find and to store changes, one step at a time. */
export interface StepTask extends StoreTask, MergeTask {
  /** Called with the number of further members that have been compared with what a destination knows. */
  readonly onCompared: (members: number) => void;
}

/** Needed to send changes to all destinations. */
export interface SendTask extends StepTask {
  readonly destinations: SyncDestinations;
}

/** Needed to end a sync. */
export interface EndTask extends SetTask {
  readonly clock: Clock;
  readonly lease: SyncLease;
}

/** Needed for a whole sync. */
export interface SyncTask extends PrepareTask, StoreTask, EndTask {}

/** Returns a function that reports progress to the host. */
export function createProgress({ onProgress }: SyncOptions): (progress: SyncProgress) => void {
  return (progress): void => {
    try {
      onProgress?.(progress);
    } catch {
      // The sync goes on, even if the host fails to show its progress.
    }
  };
}

/** `sync-running`: another process has the sync. */
export type SyncLeaseFault = StoreFault | NoSuchAudience | SyncTaken;

export interface SyncTaken {
  readonly code: "sync-running";
}

/**
 * The record names the owner of a sync, which renews the lease. An owner that has not renewed it in time loses the sync
 * to the next process that takes it over, and can then change nothing any more.
 */
export interface SyncLease {
  /** The record as this process last read or changed it. */
  record(): AudienceRecord;
  /** True once a change, or a renewal of the lease, has shown that another process has the sync. */
  isLost(): boolean;
  /** Renews the lease if it was not renewed in time: the process may have stood still, and another one have the sync. */
  hold(): Promise<Result<unknown, SyncLeaseFault>>;
  /** Renews the lease, and reads the record as it is stored. */
  renew(): Promise<Result<unknown, SyncLeaseFault>>;
  /** Replaces the record, and renews the lease. `update` may run more than once, so it must be pure. */
  change(update: (record: AudienceRecord) => AudienceRecord): Promise<Result<AudienceRecord, SyncLeaseFault>>;
  /** Makes the last change, and stops renewing the lease. `update` decides whether the record still names an owner. */
  end(update: (record: AudienceRecord) => AudienceRecord): Promise<Result<AudienceRecord, SyncLeaseFault>>;
}

/** Writes a holder into a record, or returns why the sync cannot be taken. */
export type TakeRecord = (record: AudienceRecord, holder: LeaseHolder) => Result<AudienceRecord, SyncTaken>;

/** Makes this process the owner of a sync, if `take` allows it. */
export async function acquireSyncLease(
  context: NewIdContext,
  { key, take }: { readonly key: string; readonly take: TakeRecord },
): Promise<Result<SyncLease, SyncLeaseFault>> {
  const owner = randomHex(context.random, TOKEN_BYTES);
  const taken = await context.storage.change<SyncTaken>({
    key,
    decide: (record) => take(record, { owner, aliveAt: context.clock.wall() }),
  });
  return taken.map((record) => createSyncLease(context, { record, owner }));
}

interface SyncLeaseStart {
  readonly record: AudienceRecord;
  readonly owner: string;
}

function createSyncLease({ clock, settings, storage }: LeaseContext, { record, owner }: SyncLeaseStart): SyncLease {
  let latest = record;
  let isLost = false;
  let renewedAt = clock.monotonic();
  let changing: Promise<unknown> = Promise.resolve();
  let cancelRenewal = planRenewal();

  /** Changes run one after the other, so that a renewal and a step never change the record at the same time. */
  function change(update: (record: AudienceRecord) => AudienceRecord): Promise<Result<AudienceRecord, SyncLeaseFault>> {
    const changed = changing.then(() => changeNow(update));
    changing = changed;
    return changed;
  }

  async function changeNow(
    update: (record: AudienceRecord) => AudienceRecord,
  ): Promise<Result<AudienceRecord, SyncLeaseFault>> {
    const decide = (stored: AudienceRecord): Result<AudienceRecord, SyncTaken> =>
      stored.running?.owner === owner ? ok(update(withRenewal(stored, clock.wall()))) : err({ code: "sync-running" });
    const askedAt = clock.monotonic();
    const changed = await storage.change<SyncTaken>({ key: record.key, known: latest, decide });
    if (changed.isOk()) {
      latest = changed.value;
      renewedAt = askedAt;
    } else if (changed.error.code === "sync-running") lose();
    return changed;
  }

  function renew(): Promise<Result<unknown, SyncLeaseFault>> {
    return change((latestRecord) => latestRecord);
  }

  function isRenewed(): boolean {
    return !isLost && clock.monotonic() - renewedAt < settings.workspace().delivery.leaseMs;
  }

  function lose(): void {
    isLost = true;
    cancelRenewal();
  }

  function planRenewal(): () => void {
    return clock.after(settings.workspace().delivery.leaseMs / RENEWALS_PER_LEASE, () => {
      cancelRenewal = planRenewal();
      void renew();
    });
  }

  return {
    record: () => latest,
    isLost: () => isLost,
    hold: async () => (isRenewed() ? ok(latest) : renew()),
    renew,
    change,
    end: (update) => {
      cancelRenewal();
      return change(update);
    },
  };
}

function withRenewal(record: AudienceRecord, aliveAt: EpochMs): AudienceRecord {
  return record.running === null ? record : { ...record, running: { ...record.running, aliveAt } };
}

/** The fault that the host is given. */
export function toSyncFault(fault: SyncLeaseFault | EraseFault): SyncFault {
  switch (fault.code) {
    case "sync-running":
    case "unknown-audience":
    case "stopped":
      return { code: fault.code };
    case "busy":
    case "full":
    case "corrupt":
    case "unavailable":
      return toRelayFault({ code: fault.code });
  }
}

/** Removes these sets, slice by slice. One that cannot be removed now is found again by the next clean-up. */
export async function dropSets({ storage, work }: SetTask, sets: readonly string[]): Promise<void> {
  for (const set of sets) {
    let isOver = false;
    while (!isOver && work.shouldContinue()) {
      const dropped = await storage.ask((audiences) => audiences.drop(set));
      isOver = dropped.isErr() || dropped.value;
      await work.yieldIfLong();
    }
  }
}

/** Removes all sets of an audience that its record does not need. */
export async function dropUnusedSets(task: SetTask, record: AudienceRecord): Promise<void> {
  const sets = await task.storage.ask((audiences) => audiences.sets(setPrefix(record.key)));
  if (sets.isOk()) await dropSets(task, unusedSets(record, sets.value));
}

export interface SyncDestinations {
  /** True if changes are stored for the destination. */
  readonly isOn: (destination: DestinationId) => boolean;
  /** True if the lane of the destination may get more deliveries of a sync. */
  readonly hasRoom: (destination: DestinationId) => boolean;
}

export interface SyncDestinationsOptions {
  readonly settings: SettingsInForce;
  readonly lanes: Lanes;
  readonly bounds: SyncBounds;
}

export function createSyncDestinations({ settings, lanes, bounds }: SyncDestinationsOptions): SyncDestinations {
  return {
    isOn: (destination) => settings.isOn(destination),
    hasRoom: (destination) => lanes.lane(destination).deliveries < bounds.laneDeliveries,
  };
}
