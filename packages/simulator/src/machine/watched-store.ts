// A store whose changes the ledger records. The recorded operations of all processes run one after the other: each is
// recorded before the next takes effect, since the counters of the store and of the ledger must match.

import type { DeletionStore, DeliveryStore, EpochMs } from "@postrider/core";
import { checkCounts, observeEnd, observePullIn } from "../ledger/observe-bulk-changes.js";
import type { Ledger } from "../ledger/ledger.js";
import { observeClaim } from "../ledger/observe-claim.js";
import { observeCommit } from "../ledger/observe-commit.js";
import { observeFinish, observeOpen, observePurged } from "../ledger/observe-deletion.js";

/** `process` is the number of the process that uses the store. */
export function createWatchedStore(store: DeliveryStore, ledger: Ledger, process: number): DeliveryStore {
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = ledger.lastRead.then(work, work);
    ledger.lastRead = done;
    return done;
  }

  /** By which time the store judges what it was asked at `now`. */
  function judgedAt(now: EpochMs): EpochMs {
    return store.clock === undefined ? now : ledger.clock.wall();
  }

  function watchedDeletions(deletions: DeletionStore): DeletionStore {
    return {
      ...deletions,
      open: (deletion, now) =>
        inTurn(async () => {
          await deletions.open(deletion, now);
          observeOpen(ledger, deletion);
        }),
      purge: (slice, now) =>
        inTurn(async () => {
          const purged = await deletions.purge(slice, now);
          await observePurged(ledger, store);
          return purged;
        }),
      finish: (id, now) =>
        inTurn(async () => {
          const isFinished = await deletions.finish(id, now);
          if (isFinished) observeFinish(ledger, id);
          return isFinished;
        }),
    };
  }

  return {
    ...store,
    ...(store.deletions === undefined ? {} : { deletions: watchedDeletions(store.deletions) }),
    commit: (changes, now) =>
      inTurn(async () => {
        const committed = await store.commit(changes, now);
        observeCommit(ledger, { process, changes, committed }, judgedAt(now));
        checkCounts(ledger, ledger.counts, await store.counts());
        return committed;
      }),
    claim: (request, now) =>
      inTurn(async () => {
        const claimed = await store.claim(request, now);
        observeClaim(ledger, { process, request, claimed }, judgedAt(now));
        if (ledger.covered.size > 0) await observePurged(ledger, store);
        return claimed;
      }),
    end: (request, now) =>
      inTurn(async () => {
        const ended = await store.end(request, now);
        if (ended > 0) await observeEnd(ledger, store, request);
        return ended;
      }),
    pullIn: (request, now) =>
      inTurn(async () => {
        const pulled = await store.pullIn(request, now);
        if (pulled > 0) await observePullIn(ledger, store, request);
        return pulled;
      }),
  };
}
