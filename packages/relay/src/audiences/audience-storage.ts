// Turns rejections of an audience store into results, and changes its records, which other processes may change too. The
// state of this store does not affect the delivery of calls, so health does not show it.

import type { AudienceRecord, AudienceStore, Clock, Random } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { EmitEvent } from "../relay-event.js";
import { createOrStalled, type OrStalled, createStallWatch } from "../commits/stall.js";
import { AUDIENCE_RECORDS, createRecords, type RecordChange, type Records, replaceRecord } from "../commits/records.js";
import { type AskDeletions, type Storage, whileBusy } from "../commits/storage.js";
import { faultOf, type StoreFault } from "../fault.js";
import type { MessageQueue } from "../intake/enqueue.js";
import type { Lanes } from "../lanes/lanes.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { SyncBounds } from "./audiences.js";

const NO_SUCH_AUDIENCE: NoSuchAudience = { code: "unknown-audience" };

export interface AudienceStorage {
  /** Sends a request to the store, and repeats it while the store is busy, so the request must be safe to repeat. */
  ask<T>(question: (store: AudienceStore) => Promise<T>): Promise<Result<T, StoreFault>>;
  /** The records of audiences. A request is repeated while the store is busy. */
  readonly records: Records<AudienceRecord>;
  /** Asks the `DeletionStore`, which keeps the requests about users; absent if the delivery store has none. */
  readonly askDeletions?: AskDeletions;
  /** Wraps a request of a host, so that the host does not wait for a stalled store. */
  readonly orStalled: OrStalled;
  /** Replaces a record; if another process changes it first, decides again. */
  change<F>(change: RecordChange<AudienceRecord, F>): Promise<Result<AudienceRecord, F | StoreFault | NoSuchAudience>>;
}

export interface NoSuchAudience {
  readonly code: "unknown-audience";
}

export interface AudienceStorageOptions {
  readonly clock: Clock;
  readonly emit: EmitEvent;
  /** After how many milliseconds without an answer a store is stalled. */
  readonly stallMs: number;
  readonly askDeletions?: AskDeletions;
  /** The storage of deliveries, beside which the audiences are kept. */
  readonly storage: Pick<Storage, "answersSideBySide">;
}

/** Wraps an audience store so that its methods return results. */
export function createAudienceStorage(
  store: AudienceStore,
  { clock, emit, stallMs, askDeletions, storage }: AudienceStorageOptions,
): AudienceStorage {
  const probe = (): void => void watched((audiences) => audiences.records.find("audience", "")).catch(nothing);
  const watch = createStallWatch({ clock, stallMs, ...(storage.answersSideBySide && { probe }) });

  function ask<T>(question: (store: AudienceStore) => Promise<T>): Promise<Result<T, StoreFault>> {
    return whileBusy(clock, () =>
      ResultAsync.fromThrowable(() => watched(question), faultOf)().mapErr((fault) => {
        emit({ kind: "store-fault", code: fault.code });
        return fault;
      }),
    );
  }

  async function watched<T>(question: (store: AudienceStore) => Promise<T>): Promise<T> {
    const end = watch.begin();
    try {
      return await question(store);
    } finally {
      // A rejection is an answer, too.
      end(true);
    }
  }

  const records = createRecords((question) => ask((audiences) => question(audiences.records)), AUDIENCE_RECORDS);
  return {
    ask,
    records,
    ...defined({ askDeletions }),
    orStalled: createOrStalled(watch),
    change: async (change) => {
      const changed = await replaceRecord(records, change);
      return changed.andThen((record) => (record === undefined ? err(NO_SUCH_AUDIENCE) : ok(record)));
    },
  };
}

function nothing(): void {
  // A request that only tries the store may fail.
}

/** The faults that can prevent a request about users from being carried out in an audience. */
export type EraseFault = StoreFault | NoSuchAudience | { readonly code: "stopped" };

/** Needed to change the destinations of an audience. */
export interface DefineContext {
  readonly settings: SettingsInForce;
  readonly storage: AudienceStorage;
}

/** Needed to renew and to check the lease on a sync. */
export interface LeaseContext extends DefineContext {
  readonly clock: Clock;
}

/** Needed to create an audience or a lease, each with a random id. */
export interface NewIdContext extends LeaseContext {
  readonly random: Random;
}

/** Needed for audiences and their syncs. */
export interface AudienceContext extends NewIdContext {
  readonly lanes: Lanes;
  readonly queue: MessageQueue;
  readonly bounds: SyncBounds;
  readonly emit: EmitEvent;
}
