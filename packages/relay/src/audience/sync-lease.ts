// The lease of one process on a sync (decision: audiences): the record names its owner, which renews the lease. An
// owner that has not renewed the lease in time loses the sync to the next process that takes over the sync, and can
// then change nothing any more.

import type { AudienceRecord, EpochMs, LeaseHolder } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import { RENEWALS_PER_LEASE, TOKEN_BYTES } from "../limits.js";
import { randomHex } from "../random-hex.js";
import type { StoreFault } from "../fault.js";
import type { NoSuchAudience } from "./audience-storage.js";
import type { LeaseContext, NewIdContext } from "./context.js";

/** `sync-running`: another process has the sync. */
export type SyncLeaseFault = StoreFault | NoSuchAudience | SyncTaken;

export interface SyncTaken {
  readonly code: "sync-running";
}

export interface SyncLease {
  /** The record as this process last read or changed it. */
  record(): AudienceRecord;
  /** Whether a change, or a renewal of the lease, has shown that another process has the sync. */
  isLost(): boolean;
  /** Replaces the record, and renews the lease. `next` may run more than once, so it must be pure. */
  change(next: (record: AudienceRecord) => AudienceRecord): Promise<Result<AudienceRecord, SyncLeaseFault>>;
  /** Makes the last change, and stops renewing the lease. `next` decides whether the record still names an owner. */
  end(next: (record: AudienceRecord) => AudienceRecord): Promise<Result<AudienceRecord, SyncLeaseFault>>;
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
  let known = record;
  let isLost = false;
  let changing: Promise<unknown> = Promise.resolve();
  let cancelRenewal = planRenewal();

  /** Changes run one after the other, so that a renewal and a step never change the record at the same time. */
  function change(next: (record: AudienceRecord) => AudienceRecord): Promise<Result<AudienceRecord, SyncLeaseFault>> {
    const changed = changing.then(() => changeNow(next));
    changing = changed;
    return changed;
  }

  async function changeNow(
    next: (record: AudienceRecord) => AudienceRecord,
  ): Promise<Result<AudienceRecord, SyncLeaseFault>> {
    const decide = (found: AudienceRecord): Result<AudienceRecord, SyncTaken> =>
      found.running?.owner === owner ? ok(next(withRenewal(found, clock.wall()))) : err({ code: "sync-running" });
    const changed = await storage.change<SyncTaken>({ key: record.key, known, decide });
    if (changed.isOk()) known = changed.value;
    else if (changed.error.code === "sync-running") lose();
    return changed;
  }

  function lose(): void {
    isLost = true;
    cancelRenewal();
  }

  function planRenewal(): () => void {
    return clock.after(settings.workspace().delivery.leaseMs / RENEWALS_PER_LEASE, () => {
      cancelRenewal = planRenewal();
      void change((found) => found);
    });
  }

  return {
    record: () => known,
    isLost: () => isLost,
    change,
    end: (next) => {
      cancelRenewal();
      return change(next);
    },
  };
}

function withRenewal(record: AudienceRecord, aliveAt: EpochMs): AudienceRecord {
  return record.running === null ? record : { ...record, running: { ...record.running, aliveAt } };
}
